import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { definePlugin, isPlatenError, Stage } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import block from '../../../../plugins/page/block/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import upload from '../../../../plugins/page/upload/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

/** The handlers that intercept requests of a render. */
const intercepting: string[] = [];
const spy = definePlugin({
  name: 'spy',
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'spy', stage: Stage.first }, ({ intercept }) => {
      const use = intercept.use.bind(intercept);
      vi.spyOn(intercept, 'use').mockImplementation((handler) => {
        intercepting.push(handler.name);
        return use(handler);
      });
    });
  },
});

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

/** Loads one resource of every kind, and reports which arrived. */
const KINDS = `<!doctype html><title>kinds</title><link rel=icon href=data:,>
<script>
  const settled = (element, name) => new Promise((done) => { element.onload = () => done(true); element.onerror = () => done(false); Object.assign(element, name); document.documentElement.append(element); });
  const make = (tag, attributes) => settled(document.createElement(tag), attributes);
  const xhr = () => new Promise((done) => { const request = new XMLHttpRequest(); request.onload = () => done(true); request.onerror = () => done(false); request.open('GET', '/x'); request.send(); });
  const font = () => new FontFace('f', 'url(/font)').load().then(() => true, ({ name }) => name !== 'NetworkError');
  const media = () => new Promise((done) => { const video = document.createElement('video'); video.onerror = () => fetch('/seen').then((seen) => seen.json()).then((seen) => done(seen.includes('/media'))).catch(() => done(null)); video.src = '/media'; });
  const socket = (Socket = WebSocket) => new Promise((done) => { const one = new Socket(location.href.replace('http', 'ws').replace('/kinds', '/live')); one.onopen = () => done(true); one.onclose = ({ code }) => done(code === 1006 ? false : code); });
  const worker = () => new Promise((done) => { const one = new Worker('/worker'); one.onmessage = ({ data }) => done(data); one.onerror = () => done(null); });
  window.report = (async () => ({
    image: await make('img', { src: '/image' }),
    stylesheet: await make('link', { rel: 'stylesheet', href: '/style' }),
    script: await make('script', { src: '/script' }),
    xhr: await xhr(),
    fetch: await fetch('/f').then(() => true, () => false),
    inWorker: await new Promise((done) => { const one = new Worker('/fetcher'); one.onmessage = ({ data }) => done(data); one.onerror = () => done(null); }),
    websocket: await socket(),
    frame: await new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = () => done(frame.contentDocument?.title === 'frame'); frame.src = '/frame'; document.documentElement.append(frame); }),
    media: await media(),
    worker: await worker(),
    again: await socket(new WebSocket('ws://127.0.0.1:9/').constructor),
  }))();
</script>`;

let site: Site;
let sockets: Server;
let host: Prober;
const opened: string[] = [];
const seen: string[] = [];

function acceptSocket(path: string, key: string, socket: Socket): void {
  opened.push(path);
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.on('error', () => undefined);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
}

beforeAll(async () => {
  const answers: Readonly<Record<string, [type: string, body: string | Buffer]>> = {
    '/kinds': ['text/html', KINDS],
    '/image': ['image/png', PNG],
    '/style': ['text/css', ''],
    '/script': ['text/javascript', ''],
    '/x': ['text/plain', 'x'],
    '/f': ['text/plain', 'f'],
    '/fetcher': ['text/javascript', `fetch('/in-worker').then(() => postMessage(true), () => postMessage(false))`],
    '/frame': ['text/html', '<title>frame</title>'],
    '/worker': [
      'text/javascript',
      `const live = location.href.replace('http', 'ws').replace('/worker', '/live-worker');
       const one = new WebSocket(live); one.onopen = () => postMessage(true); one.onclose = () => postMessage(one.url === live ? false : one.url);`,
    ],
  };
  sockets = createServer(({ url = '' }, response) => {
    seen.push(url);
    if (url === '/seen') return void response.end(JSON.stringify(seen));
    if (url === '/hop') return void response.writeHead(302, { location: '/x' }).end();
    const [type = 'text/plain', body = ''] = answers[url] ?? [];
    response.writeHead(url in answers ? 200 : 404, { 'content-type': type }).end(body);
  });
  sockets.on('upgrade', ({ url = '', headers }, socket: Socket) => {
    acceptSocket(url, headers['sec-websocket-key'] ?? '', socket);
  });
  sockets.listen(0, '127.0.0.1');
  await once(sockets, 'listening');
  site = await openSite({ '/': '<title>plain</title>' });
  host = openProber({ plugins: [robots, upload, block, spy] });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  sockets.closeAllConnections();
  sockets.close();
});

const url = (path: string): string => `http://127.0.0.1:${String((sockets.address() as AddressInfo).port)}${path}`;
const ALL = {
  image: true,
  stylesheet: true,
  script: true,
  xhr: true,
  fetch: true,
  inWorker: true,
  websocket: true,
  frame: true,
  media: true,
  worker: true,
  again: true,
};

async function reportOf(params: Readonly<Record<string, unknown>>): Promise<unknown> {
  seen.length = 0;
  opened.length = 0;
  return (await host.probe({ url: url('/kinds'), ...params })).report;
}

async function refusalOf(params: Readonly<Record<string, unknown>>) {
  const error: unknown = await host.probe(params).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isPlatenError(error) ? { code: error.code, status: error.status, message: error.message } : error;
}

describe('block_resource_type', () => {
  it.each<[types: readonly string[], lost: Partial<Record<keyof typeof ALL, unknown>>, path: string]>([
    [['image'], { image: false }, '/image'],
    [['stylesheet'], { stylesheet: false }, '/style'],
    [['xhr'], { xhr: false }, '/x'],
    [['media'], { media: false }, '/media'],
    [['fetch'], { fetch: false, inWorker: false, media: null }, '/f'],
    [['xhr', 'fetch'], { xhr: false, fetch: false, inWorker: false, media: null }, '/x'],
    [['script'], { script: false }, '/script'],
    [['other'], { frame: false, worker: null, inWorker: null }, '/frame'],
  ])('%s: nothing of it is sent, all else is', async (types, lost, path) => {
    expect(await reportOf({ block_resource_type: types })).toEqual({ ...ALL, ...lost });
    expect(seen).not.toContain(path);
  });

  it('websocket: in pages and workers, also by the constructor of another socket', async () => {
    expect(await reportOf({ block_resource_type: 'websocket' })).toEqual({ ...ALL, websocket: false, worker: false, again: false });
    expect(opened).toEqual([]);
  });

  it('several; the documents of the page are never blocked', async () => {
    const types = ['image', 'font', 'media', 'stylesheet', 'xhr', 'fetch', 'websocket', 'other'];
    expect(await reportOf({ block_resource_type: types })).toMatchObject({ script: true, image: false, websocket: false, frame: false });
  });

  it('is refused for other types: 400 that lists them', async () => {
    expect(await refusalOf({ url: url('/kinds'), block_resource_type: ['document'] })).toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      message: expect.stringMatching(/"block_resource_type.*image.*websocket/s),
    });
  });
});

describe('block_url', () => {
  it('blocks requests and WebSockets that match as a whole', async () => {
    expect(await reportOf({ block_url: ['*/image', '*/live', 'http://*/style', '/x', '*/scrip'] })).toEqual({
      ...ALL,
      ...{ image: false, websocket: false, again: false, stylesheet: false },
    });
    expect(opened).toEqual(['/live-worker']);
    expect(seen).not.toContain('/image');
  });

  it('null unsets it', async () => {
    expect(await reportOf({ block_url: null, block_resource_type: null })).toEqual(ALL);
  });

  it.each([['*'], ['http://127.0.0.1:*/kinds'], ['*/kinds']])('that matches the URL itself is 400: %s', async (glob) => {
    const refused = await refusalOf({ url: `${url('/kinds')}#part`, block_url: ['*/image', glob] });
    expect(refused).toMatchObject({ code: 'invalid_parameters', message: expect.stringContaining(JSON.stringify(glob)) });
  });

  it('refuses a redirect of the target: 403', async () => {
    seen.length = 0;
    expect(await refusalOf({ url: url('/hop'), block_url: ['*/x'] })).toMatchObject({ code: 'target_blocked', status: 403 });
    expect(seen).not.toContain('/x');
  });
});

it.each<[params: Readonly<Record<string, unknown>>, handlers: readonly string[]]>([
  [{}, []],
  [{ block_resource_type: ['websocket'] }, []],
  [{ block_resource_type: ['websocket', 'image'] }, ['block']],
  [{ block_url: ['*/image'] }, ['block']],
])('requests are intercepted only if that decides: %j', async (params, handlers) => {
  intercepting.length = 0;
  await host.probe({ url: site.url('/'), ...params });
  expect(intercepting).toEqual(handlers);
});

it.each<[params: Readonly<Record<string, unknown>>, shown: readonly boolean[]]>([
  [{}, [true, true, true]],
  [{ block_resource_type: ['image'] }, [false, true, true]],
  [{ block_resource_type: ['script', 'fetch'] }, [true, false, false]],
  [{ block_url: ['https://upload.invalid/a/*'] }, [false, false, true]],
])('files of "upload" are blocked as those of a site: %j', async (params, shown) => {
  const page = `<!doctype html><script>
    const made = (tag, src) => new Promise((done) => { const one = document.createElement(tag); one.onload = () => done(true); one.onerror = () => done(false); one.src = src; document.documentElement.append(one); });
    window.report = Promise.all([made('img', 'a/1.png'), made('script', 'a/2.js'), fetch('3.json').then(() => true, () => false)]);
  </script>`;
  const files = { 'a/1.png': `data:;base64,${PNG.toString('base64')}`, 'a/2.js': 'data:,', '3.json': 'data:,{}' };
  const { report } = await host.probe({ upload: { 'index.html': `data:text/html,${encodeURIComponent(page)}`, ...files }, ...params });
  expect(report).toEqual(shown);
});
