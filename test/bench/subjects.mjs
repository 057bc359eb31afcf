// What is compared: Platen over HTTP, and the usual puppeteer script with each of Chromium's two PNG settings.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findBrowsers } from '@platen/kernel';
import puppeteer from 'puppeteer';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

export async function openSite() {
  const child = fork(path('fixtures/site.mjs'));
  const [{ port }] = await once(child, 'message');
  return { url: (page) => `http://127.0.0.1:${port}/${page}`, close: () => child.connected && child.disconnect() };
}

/** A Platen server of its own on a free port. */
export async function openPlaten(flags = []) {
  const child = spawn(process.execPath, [path('../../server/dist/cli.js'), '--server', '--server-bind-port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const base = await listeningUrl(child.stdout);
  return {
    name: 'Platen',
    pid: child.pid,
    url: (params) => `${base}/?${new URLSearchParams(params)}`,
    async status() {
      const response = await fetch(`${base}/status`);
      if (!response.ok) throw new Error(`/status: ${response.status}`);
      return response.json();
    },
    async render(url, params = {}) {
      const response = await fetch(`${base}/?${new URLSearchParams({ url, ...params })}`);
      const body = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(`${response.status}: ${body}`);
      return { body, timing: parseServerTiming(response.headers.get('server-timing')) };
    },
    async close() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function listeningUrl(stream) {
  for await (const line of createInterface({ input: stream })) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
    if (found === null) continue;
    stream.resume();
    return found[0];
  }
  throw new Error('the server ended before it listened');
}

function parseServerTiming(header) {
  return Object.fromEntries([...(header ?? '').matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name, value]) => [name, Number(value)]));
}

/** One browser, a new context and page per request, goto, screenshot: what most people write. */
export async function openPuppeteer({ fast }) {
  const { shell } = await findBrowsers();
  const browser = await puppeteer.launch({ executablePath: shell.path, headless: 'shell', args: ['--no-sandbox'] });
  return {
    name: fast ? 'puppeteer, fast png' : 'puppeteer',
    pid: browser.process().pid,
    async render(url) {
      const context = await browser.createBrowserContext();
      try {
        const page = await context.newPage();
        await page.setViewport({ width: 1280, height: 720 });
        await page.goto(url);
        return { body: await page.screenshot({ type: 'png', optimizeForSpeed: fast }), timing: {} };
      } finally {
        await context.close();
      }
    },
    close: () => browser.close(),
  };
}
