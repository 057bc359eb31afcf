// npm run bench:egress [-- --rounds N --renders N]
// What the way out costs: the same browser loads and pictures a page directly, through a way out of its own per context, and through the
// least proxy that one can write, which judges nothing, in turns.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowsers } from '@platen/kernel';
import puppeteer from 'puppeteer-core';
import { createEgress } from '../../kernel/dist/egress/index.js';
import { median } from './measure.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '8' }, renders: { type: 'string', default: '6' } } });
const PAGES = ['/tiny', '/medium', '/heavy'];

const site = fork(fileURLToPath(new URL('fixtures/site.mjs', import.meta.url)));
const [{ port }] = await once(site, 'message');
const { shell } = await findBrowsers();
const browser = await puppeteer.launch({
  executablePath: shell.path,
  headless: 'shell',
  pipe: true,
  // A measurement of pages of our own.
  args: ['--no-sandbox', '--disable-quic'],
});
const egress = createEgress();

const WAYS = {
  direct: () => browser.createBrowserContext(),
  egress: async () => {
    const listener = await egress.open();
    return openThrough(listener.port, () => listener[Symbol.asyncDispose]());
  },
  bare: async () => {
    const agent = new Agent({ keepAlive: true });
    const proxy = createServer(({ url, method, headers }, response) => {
      request(url, { method, headers, agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.rawHeaders);
        answer.pipe(response);
      }).end();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    return openThrough(proxy.address().port, () => {
      proxy.close();
      proxy.closeAllConnections();
      agent.destroy();
    });
  },
};

try {
  const rows = [];
  for (const path of PAGES) rows.push(await compare(path));
  console.table(rows);
} finally {
  await browser.close();
  await egress[Symbol.asyncDispose]();
  site.kill();
}

async function openThrough(port, close) {
  const context = await browser.createBrowserContext({ proxyServer: `http://127.0.0.1:${port}`, proxyBypassList: ['<-loopback>'] });
  return { newPage: () => context.newPage(), close: () => context.close().then(close) };
}

/** Every other round the last way is first. */
async function compare(path) {
  const rounds = [];
  for (const name of Object.keys(WAYS)) await measure(name, path, 2);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const names = round % 2 === 0 ? Object.keys(WAYS) : Object.keys(WAYS).reverse();
    const times = {};
    for (const name of names) times[name] = await measure(name, path, Number(values.renders));
    rounds.push(times);
  }
  const ratiosOf = (way) => rounds.map((times) => times[way] / times.direct).sort((a, b) => a - b);
  const row = { page: path };
  for (const way of Object.keys(WAYS)) row[`${way} ms`] = median(rounds.map((times) => times[way])).toFixed(0);
  for (const way of Object.keys(WAYS).filter((name) => name !== 'direct')) {
    const ratios = ratiosOf(way);
    row[`${way}, median of ratios`] = `${median(ratios).toFixed(3)} (${ratios[0].toFixed(2)} to ${ratios.at(-1).toFixed(2)})`;
  }
  return row;
}

/** The median of so many renders, each in a context of its own that is made ahead, as renders have it. */
async function measure(name, path, renders) {
  const times = [];
  for (let index = 0; index < renders; index += 1) {
    const context = await WAYS[name]();
    const page = await context.newPage();
    const started = performance.now();
    await page.goto(`http://127.0.0.1:${port}${path}`);
    await page.screenshot({ optimizeForSpeed: true });
    times.push(performance.now() - started);
    await context.close();
  }
  return median(times);
}
