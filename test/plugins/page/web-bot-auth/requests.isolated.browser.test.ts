import { once } from 'node:events';
import { Connection } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { TestKernel } from '@platen/kernel/testing';
import { openSite, type Site } from '../../../helpers/site.js';
import { openGate, PATHS } from '../../../kernel/browser/gate.js';
import { openBot, reportOf, SETTING, SIGNATORY } from './bot.js';
import { verifySigned } from './verify.js';

const CORS = { 'access-control-allow-origin': '*' };
const JS = { 'content-type': 'text/javascript' };
const WITH_BODY = { ...CORS, 'access-control-allow-headers': 'content-type' };

let site: Site;
let other: Site;
let bot: TestKernel;

beforeAll(async () => {
  other = await openSite({
    '/module.js': { headers: { ...CORS, ...JS }, body: 'window.modules = 1' },
    '/script.js': { headers: JS, body: '' },
    '/font': { headers: { ...CORS, 'content-type': 'font/woff2' }, body: 'no font' },
    '/style.css': { headers: { 'content-type': 'text/css' }, body: '@import "/imported.css"; p { background: url(/background.png) }' },
    '/frame': '<!doctype html><img src="/in-frame.png">',
    '/data': { headers: CORS, body: 'data' },
    '/hop': () => ({ status: 302, headers: { ...CORS, location: site.url('/end') } }),
    '/end': { headers: CORS, body: 'end' },
    '/json': { headers: WITH_BODY, body: '{}' },
    '/stream': { headers: { ...CORS, 'content-type': 'text/event-stream' }, body: 'data: 1\n\n' },
  });
  site = await openSite({
    '/start': () => ({ status: 302, headers: { location: other.url('/away', 'localhost') } }),
    '/end': { headers: CORS, body: 'end' },
    '/page': `<!doctype html><title>page</title>
      <link rel="stylesheet" href="${other.url('/style.css')}">
      <style>@font-face { font-family: far; src: url(${other.url('/font')}) } p { font-family: far }</style><p>text</p>
      <img src="/picture.png"><img src="${other.url('/picture.png')}"><video src="/film.mp4"></video><object data="/object.svg"></object>
      <script src="${other.url('/script.js')}"></script><script type="module" src="${other.url('/module.js')}"></script>
      <iframe src="${other.url('/frame')}"></iframe>
      <script>window.report = (async () => {
        const text = async (path, options) => (await fetch(path, options)).text();
        const far = '${other.url('')}';
        navigator.sendBeacon('/beacon', 'b');
        const stream = new EventSource(far + '/stream');
        await new Promise((resolve) => (stream.onmessage = resolve));
        stream.close();
        const request = new XMLHttpRequest();
        request.open('GET', far + '/data');
        await new Promise((resolve) => { request.onload = resolve; request.send(); });
        const answers = [await text(far + '/data'), await text(far + '/hop'), await text('/end', { headers: { Signature: 'sig1=:AAAA:' } })];
        await document.fonts.ready;
        return [...answers, request.responseText, window.modules];
      })();</script>`,
    '/preflight': `<!doctype html><script>window.report = fetch('${other.url('/json')}', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then((answer) => answer.text())</script>`,
    '/service': `<!doctype html><script>window.report = (async () => {
      await navigator.serviceWorker.register('/service.js');
      await navigator.serviceWorker.ready;
      if (!navigator.serviceWorker.controller) await new Promise((resolve) => (navigator.serviceWorker.oncontrollerchange = resolve));
      return [await (await fetch('${other.url('/data?through')}')).text(), await (await fetch('/end?through')).text()];
    })()</script>`,
    '/service.js': {
      headers: JS,
      body: `onactivate = (event) => event.waitUntil(clients.claim()); onfetch = (event) => event.respondWith(fetch(event.request))`,
    },
  });
  bot = openBot();
});

afterAll(async () => {
  await bot[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

/** What both sites are asked while `run` runs. */
async function requestsOf(run: () => Promise<unknown>) {
  const before = [site.requests.length, other.requests.length] as const;
  await run();
  return [...site.requests.slice(before[0]), ...other.requests.slice(before[1])];
}

test('every request of a page is signed for whom it goes to, each once', async () => {
  let report: unknown;
  const requests = await requestsOf(async () => {
    report = await reportOf(bot, { url: site.url('/page'), web_bot_auth: SETTING });
  });
  expect(report).toEqual(['data', 'end', 'end', 'data', 1]);
  const nonces = await Promise.all(requests.map((request) => verifySigned(request, SIGNATORY)));
  expect(new Set(nonces).size).toBe(nonces.length);
  const paths = requests.map(({ url }) => url);
  expect(paths).toEqual(
    expect.arrayContaining(['/page', '/picture.png', '/film.mp4', '/object.svg', '/beacon', '/style.css', '/imported.css']),
  );
  expect(paths).toEqual(expect.arrayContaining(['/background.png', '/font', '/module.js', '/frame', '/in-frame.png', '/stream', '/hop']));
});

test('every hop of a redirect is signed for its own host', async () => {
  const requests = await requestsOf(() => reportOf(bot, { url: site.url('/start'), fail: false, web_bot_auth: SETTING }));
  expect(requests.map(({ url, headers: { host } }) => `${String(host)}${url}`)).toEqual([
    `127.0.0.1:${String(site.port)}/start`,
    `localhost:${String(other.port)}/away`,
  ]);
  await Promise.all(requests.map((request) => verifySigned(request, SIGNATORY)));
});

test('frames, popups and workers of every kind sign theirs, but for the script of a worker that a worker starts', async () => {
  await using gate = await openGate();
  await using visitor = openBot({ visit: (context) => gate.visit(context) });
  await visitor.render({ output_type: 'report', url: `${gate.base}/page`, web_bot_auth: SETTING });
  expect([...gate.requests.keys()]).toEqual(expect.arrayContaining(PATHS));
  for (const [url, headers] of gate.requests) {
    if (url === '/nested.js') expect(headers).not.toHaveProperty('signature');
    else await verifySigned({ method: url.startsWith('/report') ? 'POST' : 'GET', url, headers }, SIGNATORY);
  }
});

test('a service worker that passes a request on passes no signature on that would need a preflight', async () => {
  let report: unknown;
  const requests = await requestsOf(async () => {
    report = await reportOf(bot, { url: site.url('/service', 'localhost'), web_bot_auth: SETTING });
  });
  expect(report).toEqual(['data', 'end']);
  expect(requests.map(({ method }) => method)).not.toContain('OPTIONS');
  await Promise.all(requests.map((request) => verifySigned(request, SIGNATORY)));
});

test('a preflight is signed, and so is the request behind it', async () => {
  const requests = await requestsOf(() => reportOf(bot, { url: site.url('/preflight'), web_bot_auth: SETTING }));
  const asked = requests.filter(({ url }) => url === '/json');
  expect(asked.map(({ method }) => method)).toEqual(['OPTIONS', 'POST']);
  expect(asked[0]?.headers['access-control-request-headers']).toBe('content-type');
  await Promise.all(requests.map((request) => verifySigned(request, SIGNATORY)));
});

test('a WebSocket handshake cannot be signed', async () => {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(sockets, 'listening');
  const handshake = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
    sockets.on('connection', (socket, request) => {
      socket.send('welcome');
      resolve(request.headers);
    });
  });
  try {
    const address = sockets.address();
    const url = `ws://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
    const page = `data:text/html,<script>window.report = new Promise((resolve) => (new WebSocket('${url}').onmessage = ({ data }) => resolve(data)))</script>`;
    expect(await reportOf(bot, { url: page, web_bot_auth: SETTING })).toBe('welcome');
    expect(await handshake).not.toHaveProperty('signature');
  } finally {
    sockets.close();
  }
});

test('what the document of a data: URL loads is signed', async () => {
  const requests = await requestsOf(() =>
    reportOf(bot, { url: `data:text/html,<img src="${site.url('/of-data.png')}">`, web_bot_auth: SETTING }),
  );
  expect(requests.map(({ url }) => url)).toEqual(['/of-data.png']);
  await Promise.all(requests.map((request) => verifySigned(request, SIGNATORY)));
});

test('nothing is signed, and nothing intercepted, where nobody asks for it', async () => {
  // The one way out of all sessions; puppeteer keeps it out of its types.
  const spy = vi.spyOn(Connection.prototype as unknown as { _rawSend: (...args: readonly unknown[]) => Promise<unknown> }, '_rawSend');
  try {
    const requests = await requestsOf(() => reportOf(bot, { url: site.url('/page') }));
    expect(requests.filter(({ headers }) => 'signature' in headers).map(({ headers }) => headers['signature'])).toEqual(['sig1=:AAAA:']);
    const methods = spy.mock.calls.map(([, method]) => String(method));
    expect(methods).toContain('Page.navigate');
    expect(methods.filter((method) => method.startsWith('Fetch.'))).toEqual([]);
  } finally {
    spy.mockRestore();
  }
});
