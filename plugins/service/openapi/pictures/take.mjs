// Takes the screenshots of the README with Platen: a server renders the playground of another, which renders a page.
// From the root, once everything is built: node plugins/service/openapi/pictures/take.mjs

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../../server/dist/cli.js', import.meta.url));

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Field notes</title>
<style>
  body { margin: 0; font: 19px/1.6 'Liberation Sans', sans-serif; color: #1d2433; background: #fffdf8 }
  header { padding: 56px 80px; background: #115e59; color: #fff } h1 { margin: 0; font-size: 50px } main { padding: 28px 80px }
</style>
<header><p>Field notes</p><h1>Where rivers meet the sea</h1></header>
<main><p>Twice a day the tide turns, and twice a day the estuary is another place.</p><h2>What we saw</h2><ul><li>Avocets</li><li>A seal</li></ul></main>`;

/** Presses Render as soon as there is a form; the first of two statements may come before it. */
const PRESS = `new Promise((done) => {
  const look = () => (document.querySelector('body[data-state=idle]') ? done() : requestAnimationFrame(look));
  look();
}).then(() => document.querySelector('form[aria-label=Request]').requestSubmit());`;

const DESK = { browser_width: 1360, browser_height: 880 };
const PHONE = { browser_width: 360, browser_height: 780, device_scale_factor: 2, emulate_mobile: true };
const rendered = { javascript: PRESS, wait_for: 'css:body[data-state=done]' };

const hash = (params) => new URLSearchParams({ url: target, ...params }).toString();

const site = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE)).listen(
  0,
  '127.0.0.1',
);
await once(site, 'listening');
const target = `http://127.0.0.1:${String(site.address().port)}/field-notes`;

const SCREENSHOTS = {
  'playground.png': {
    ...DESK,
    ...rendered,
    path: `playground#${hash({ output_type: 'png', with_har: 'true', emulate_dark_mode: 'false' })}`,
  },
  'dark.png': {
    ...DESK,
    ...rendered,
    emulate_dark_mode: true,
    wait_for: 'css:.screenshot img',
    path: `playground#${hash({ output_type: 'axtree_json', with_output: 'png' })}`,
  },
  'error.png': {
    ...DESK,
    browser_height: 640,
    javascript: PRESS,
    wait_for: 'css:body[data-state=failed]',
    path: `playground#${hash({ output_type: 'webp', emulate_touch_points: '99', emulate_timezone: 'Europe/Atlantis' })}`,
  },
  'phone.png': { ...PHONE, ...rendered, path: `playground#${hash({ output_type: 'jpg' })}` },
  'docs.png': { ...DESK, wait_for: 'css:body[data-state=idle]', path: 'docs#section-video-and-animations' },
};

async function startServer() {
  const server = spawn(process.execPath, [CLI, '--server', '--server-bind-port', '0', '--server-enable-docs', '--log-level', 'info'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(server.stdout)) {
    const { msg, url } = JSON.parse(line);
    if (msg === 'listening') return { server, url };
  }
  throw new Error('the server did not start');
}

async function take({ path, ...params }) {
  const response = await fetch(camera.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: new URL(path, shown.url).href, timeout: 60, ...params }),
  });
  if (!response.ok) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

// A server does not render its own pages.
const [camera, shown] = await Promise.all([startServer(), startServer()]);
try {
  for (const [name, params] of Object.entries(SCREENSHOTS)) {
    const screenshot = await take(params);
    await writeFile(new URL(name, import.meta.url), screenshot);
    process.stdout.write(`${name}: ${String(screenshot.length)} bytes\n`);
  }
} finally {
  for (const { server } of [camera, shown]) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  site.closeAllConnections();
  site.close();
}
