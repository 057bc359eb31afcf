import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { openProber, type Prober } from '../plugins/page/probe.js';
import { openSite, type Site } from '../helpers/site.js';

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
const JS = { ...CORS, 'content-type': 'text/javascript' };

let site: Site;
/** Of another origin, by another name: cookies know no ports. */
let other: Site;
let sockets: WebSocketServer;
let prober: Prober;

/** What the foreign site is asked for by the page, directly and by way of its own redirects. */
const FOREIGN = [
  ...['/image', '/script.js', '/style.css', '/frame', '/in-frame', '/fetched', '/worker-fetched', '/hop-image', '/hop-fetched', '/popup'],
  ...['/beacon'],
];

beforeAll(async () => {
  sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(sockets, 'listening');
  other = await openSite({
    '/script.js': { headers: JS, body: '' },
    '/style.css': { headers: { 'content-type': 'text/css' }, body: '' },
    '/frame': '<!doctype html><img src="/in-frame">',
    '/fetched': { headers: CORS, body: 'f' },
    '/worker-fetched': { headers: CORS, body: 'f' },
    '/hop-fetched': { headers: CORS, body: 'f' },
    '/popup': '<!doctype html><script>opener.postMessage("here", "*")</script>',
    '/back': () => ({ status: 302, headers: { location: site.url('/home') } }),
    '/away': '<!doctype html>away',
  });
  const far = (path: string) => other.url(path, 'localhost');
  const address = sockets.address();
  const socket = `ws://localhost:${String(typeof address === 'object' ? address?.port : '')}`;
  site = await openSite({
    '/page': `<!doctype html>
      <img src="${far('/image')}"><script src="${far('/script.js')}"></script><link rel=stylesheet href="${far('/style.css')}">
      <iframe src="${far('/frame')}"></iframe><img src="/hop?to=/hop-image"><img src="/own">
      <script>window.report = (async () => {
        await fetch('${far('/fetched')}');
        await fetch('/hop?to=/hop-fetched');
        navigator.sendBeacon('${far('/beacon')}', 'b');
        const worker = new Worker('/worker.js');
        await new Promise((resolve) => (worker.onmessage = resolve));
        await new Promise((resolve) => (new WebSocket('${socket}').onopen = resolve));
        open('${far('/popup')}');
        await new Promise((resolve) => (onmessage = resolve));
        return 'done';
      })()</script>`,
    '/worker.js': { headers: JS, body: `fetch('${far('/worker-fetched')}').then(() => postMessage('done'))` },
    '/hop': ({ url = '' }) => ({ status: 302, headers: { ...CORS, location: far(new URL(url, 'http://x').searchParams.get('to') ?? '') } }),
    '/home': '<!doctype html>home',
    '/to-address': () => ({ status: 302, headers: { location: site.url('/home') } }),
    '/leaves': () => ({ status: 302, headers: { location: far('/away') } }),
    '/comes-back': () => ({ status: 302, headers: { location: far('/back') } }),
  });
  prober = openProber();
});

afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  sockets.close();
});

const SECRETS = {
  header: ['Authorization: Bearer secret', 'X-Secret: secret'],
  cookie: ['session=secret', 'scoped=secret; Domain=127.0.0.1'],
};

test('header and cookie reach the target’s own requests, and of another origin not one', async () => {
  const handshake = once(sockets, 'connection');
  const { report } = await prober.probe({ url: site.url('/page'), ...SECRETS });
  expect(report).toBe('done');
  const asked = other.requests.map(({ url }) => url);
  expect(asked).toEqual(expect.arrayContaining(FOREIGN));
  for (const { url, headers } of other.requests) expect(JSON.stringify(headers), url).not.toContain('secret');
  const [, { headers }] = (await handshake) as [unknown, { headers: object }];
  expect(JSON.stringify(headers)).not.toContain('secret');
  for (const path of ['/page', '/own', '/worker.js', '/hop?to=/hop-image']) {
    const own = site.requests.find(({ url }) => url === path)?.headers;
    expect(own, path).toMatchObject({ authorization: 'Bearer secret', 'x-secret': 'secret' });
    expect(own?.cookie?.split('; ').sort(), path).toEqual(['scoped=secret', 'session=secret']);
  }
});

test('a redirect that leaves the target takes nothing along, and one that comes back has it again', async () => {
  const before = other.requests.length;
  await prober.probe({ url: site.url('/leaves'), ...SECRETS });
  await prober.probe({ url: site.url('/comes-back'), ...SECRETS });
  const foreign = other.requests.slice(before);
  expect(foreign.map(({ url }) => url)).toEqual(['/away', '/back']);
  expect(JSON.stringify(foreign)).not.toContain('secret');
  expect(site.requests.find(({ url }) => url === '/home')?.headers).toMatchObject({ authorization: 'Bearer secret' });
});

test('a cookie of another domain is sent there, and not to the target', async () => {
  const before = site.requests.length;
  await prober.probe({ url: site.url('/to-address', 'localhost'), cookie: ['scoped=secret; Domain=127.0.0.1'] });
  expect(site.requests.slice(before).map(({ url, headers: { cookie } }) => [url, cookie])).toEqual([
    ['/to-address', undefined],
    ['/home', 'scoped=secret'],
  ]);
});
