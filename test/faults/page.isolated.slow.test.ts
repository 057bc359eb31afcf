import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { browserProcesses, isRenderer } from '../kernel/browser/processes.js';
import { type Host, openHost } from './open-host.js';

const PNG_HEAD = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from('000186a0000186a00806000000', 'hex'), // 100,000 x 100,000, eight bits, with alpha
  Buffer.from('00000000', 'hex'),
]);

const script = (text: string) => `<!doctype html><title>page</title><h1>page</h1><script>${text}</script>`;

let host: Host;
let site: Site;
/** Renderers of the pages that were opened ahead, and a spare one of the browser's own. */
let base: number;
let raw: RawServer;
let mute: RawServer;

beforeAll(async () => {
  const bomb = gzipSync(Buffer.alloc(256 * 2 ** 20, 'a '), { level: 1 });
  let turns = 0;
  site = await openSite({
    '/loop': script('for (;;);'),
    '/loop-later': script('addEventListener("load", () => setTimeout(() => { for (;;); }))'),
    '/loop-worker': script(`new Worker(URL.createObjectURL(new Blob(['for (;;);'])))`),
    '/dialogs': script(
      `document.title = [alert('a'), confirm('b'), prompt('c'), print()].join(); addEventListener('beforeunload', (event) => event.preventDefault()); if (!location.hash) location.href = '/left'`,
    ),
    '/left': script('document.title = "left"'),
    '/dialog-loop': script('for (;;) alert("again")'),
    '/dialog-timer': script('setInterval(() => alert("again"))'),
    '/redirects': () => ({ status: 302, headers: { location: `/redirects?${String(turns++)}` } }),
    '/script-redirects': script('location.replace("/script-redirects?" + Math.random())'),
    '/meta-redirects': '<!doctype html><meta http-equiv=refresh content="0"><h1>page</h1>',
    '/leaves': script('location.href = "/silent"'),
    '/silent': () => undefined,
    '/head-only': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).flushHeaders();
      return undefined;
    },
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('<p>drop'), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
      return undefined;
    },
    '/no-content': { status: 204 },
    '/bomb': { headers: { 'content-encoding': 'gzip' }, body: bomb },
    '/nodes': script('document.body.innerHTML = "<p><b>x</b></p>".repeat(25000)'),
    // A control character is six bytes long in a message of the protocol.
    '/posts': script(`fetch('/sink', { method: 'POST', body: '\\u0001'.repeat(1e8) })`),
    '/sink': { status: 204 },
    '/console': script(`for (let i = 0; i < 200; i++) console.log('z'.repeat(1e6) + i)`),
    '/tall': '<!doctype html><div style="height: 1000000px">tall</div>',
    '/huge-picture': `<!doctype html><h1>page</h1><img src="/huge.png">`,
    '/huge.png': { headers: { 'content-type': 'image/png' }, body: PNG_HEAD },
    '/crowd': script(`for (let n = 0; n < 300; n++) new Worker(URL.createObjectURL(new Blob([''])))`),
    '/popups': script('for (let turn = 0; turn < 50; turn++) open("/left?" + turn)'),
    '/workers': script(`
      navigator.serviceWorker.register('/service.js');
      for (const turn of [1, 2, 3]) { new SharedWorker('/shared.js?' + turn); new Worker('/shared.js?' + turn); }`),
    '/service.js': { headers: { 'content-type': 'text/javascript' }, body: 'onfetch = () => {}' },
    '/shared.js': { headers: { 'content-type': 'text/javascript' }, body: 'setInterval(() => {}, 1)' },
  });
  raw = await openRaw((socket) => socket.resetAndDestroy());
  mute = await openRaw((socket) => socket.end());
  host = await openHost();
  await until(() => host.kernel.status().warm > 1);
  base = (await renderers()) + 1;
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  raw.close();
  mute.close();
});

afterEach(() => host.expectWell());

interface RawServer {
  readonly port: number;
  close(): void;
}

/** A server of which every connection is treated alike. */
async function openRaw(treat: (socket: Socket) => void): Promise<RawServer> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      treat(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close: () => void server.close() };
}

const renderers = async () => (await browserProcesses()).filter(isRenderer).length;

describe('F1: a script that never ends', () => {
  test.each([
    ['while the page loads', '/loop', 'html'],
    ['after the page has loaded', '/loop-later', 'html'],
    ['before a picture is taken', '/loop-later', 'png'],
  ])('%s is a 504 that says so', async (_when, path, output_type) => {
    const answer = await host.render({ url: site.url(path), output_type, timeout: 1.5 });
    expect(answer.problem).toMatchObject({ status: 504, code: 'render_timeout', retryable: true });
    expect(answer.problem?.detail).toMatch(/in phase "\w+", waiting for .*; a script blocks the page and may not end$/);
  });

  test('ten of them, one after the other, degrade nothing: their renderers go', async () => {
    for (let turn = 0; turn < 10; turn++) {
      expect(await host.render({ url: site.url('/loop'), timeout: 0.5 })).toMatchObject({ status: 504 });
    }
    await until(async () => (await renderers()) <= base);
  });

  test('in a worker is nobody else’s matter', async () => {
    expect(await host.render({ url: site.url('/loop-worker'), output_type: 'html' })).toMatchObject({ status: 200 });
  });
});

describe('F2: dialogs', () => {
  test('of every kind are answered, and a page that wants to be asked before it is left is left', async () => {
    const answer = await host.render({ url: site.url('/dialogs'), output_type: 'html', wait_for: 'css:title' });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body.toString()).toContain('<title>left</title>');
  });

  test('again and again, by a timer', async () => {
    const answer = await host.render({ url: site.url('/dialog-timer'), output_type: 'html' });
    expect(answer).toMatchObject({ status: 200 });
  });

  test('without end are a 504', async () => {
    const answer = await host.render({ url: site.url('/dialog-loop'), output_type: 'html', timeout: 1.5 });
    expect(answer.problem).toMatchObject({ status: 504, code: 'render_timeout' });
  });
});

describe('F3: redirects without end', () => {
  test('by status are the target’s fault, at once', async () => {
    const answer = await host.render({ url: site.url('/redirects') });
    expect(answer.problem).toMatchObject({ status: 502, code: 'target_unreachable', target: { net_error: 'net::ERR_TOO_MANY_REDIRECTS' } });
  });

  test('to where nobody answers end with the time, and no script is blamed', async () => {
    const answer = await host.render({ url: site.url('/leaves'), timeout: 1.5, wait_for: 'css:#never' });
    expect(answer.problem).toMatchObject({ status: 504, code: 'render_timeout', phase: 'wait' });
    expect(answer.problem?.detail).not.toContain('blocks the page');
  });

  test.each(['/script-redirects', '/meta-redirects'])('by the page itself (%s) end with the time', async (path) => {
    const answer = await host.render({ url: site.url(path), timeout: 2, wait_for: 'css:#never' });
    expect(answer.problem).toMatchObject({ status: 504, code: 'render_timeout' });
  });
});

describe('F4: a target that does not answer as it should', () => {
  test.each([
    ['silence', '/silent', 504, 'render_timeout'],
    ['headers alone', '/head-only', 504, 'render_timeout'],
    ['a body that drips for ever', '/drip', 504, 'render_timeout'],
    ['204', '/no-content', 502, 'target_not_page'],
  ])('%s', async (_what, path, status, code) => {
    const answer = await host.render({ url: site.url(path), timeout: 1.5 });
    expect(answer.problem).toMatchObject({ status, code });
    expect(answer.problem?.detail).not.toContain('blocks the page');
  });

  test.each([
    ['a connection that is reset', () => `http://127.0.0.1:${String(raw.port)}/`, 502, 'net::ERR_CONNECTION_RESET'],
    ['a connection that ends without an answer', () => `http://127.0.0.1:${String(mute.port)}/`, 502, 'net::ERR_EMPTY_RESPONSE'],
    ['TLS where there is none', () => site.url('/').replace('http:', 'https:'), 502, 'net::ERR_SSL_PROTOCOL_ERROR'],
    ['a port that browsers refuse', () => 'http://127.0.0.1:6000/', 403, 'net::ERR_UNSAFE_PORT'],
  ])('%s', async (_what, url, status, net_error) => {
    const answer = await host.render({ url: url(), timeout: 5 });
    expect(answer.problem).toMatchObject({ status, target: { net_error } });
  });
});

describe('F5: more than a page should be', () => {
  test('a bomb of 256 MiB is an answer or a 504, and does not pass through the server’s memory', async () => {
    const before = process.memoryUsage.rss();
    const answer = await host.render({ url: site.url('/bomb'), timeout: 4 });
    expect([200, 504]).toContain(answer.status);
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 2 ** 20);
  });

  test('50,000 elements', async () => {
    expect(await host.render({ url: site.url('/nodes'), output_type: 'html' })).toMatchObject({ status: 200 });
  });

  test('a million pixels of height are refused', async () => {
    const answer = await host.render({ url: site.url('/tall'), full_page: true });
    expect(answer.problem).toMatchObject({ status: 422, code: 'capture_too_large' });
  });

  test.each(['/posts', '/console'])('%s has hundreds of megabytes to say, which do not pass through the server', async (path) => {
    const before = process.memoryUsage.rss();
    expect(await host.render({ url: site.url(path), wait_for: 'networkidle0', timeout: 100 })).toMatchObject({ status: 200 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 2 ** 20);
  });

  test('a picture that says it has ten thousand million pixels', async () => {
    expect(await host.render({ url: site.url('/huge-picture') })).toMatchObject({ status: 200 });
  });
});

describe('F7: what a page opens', () => {
  test('50 popups go with the render', async () => {
    expect(await host.render({ url: site.url('/popups') })).toMatchObject({ status: 200 });
    await until(async () => (await renderers()) <= base);
  });

  test('more targets than a render may have end it', async () => {
    expect(await host.render({ url: site.url('/crowd'), wait_for: '30', timeout: 50 })).toMatchObject({
      status: 422,
      problem: { code: 'page_too_heavy', retryable: false },
    });
    await until(async () => (await renderers()) <= base);
  });

  test('workers of every kind go with the render', async () => {
    expect(await host.render({ url: site.url('/workers') })).toMatchObject({ status: 200 });
    await until(async () => (await renderers()) <= base);
  });
});
