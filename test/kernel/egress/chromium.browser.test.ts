import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../helpers/site.js';
import { openProber, type Prober } from '../../plugins/page/probe.js';
import { openRawServer, type RawServer } from './client.js';

/** A WebSocket server that greets (RFC 6455). */
const openGreeter = (): Promise<RawServer> =>
  openRawServer((socket) => {
    socket.once('data', (bytes) => {
      const key = /sec-websocket-key: (\S+)/i.exec(bytes.toString())?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      socket.write(Buffer.concat([Buffer.from([0x81, 5]), Buffer.from('hello')]));
    });
  });

let site: Site;
let sockets: RawServer;
let prober: Prober;
beforeAll(async () => {
  sockets = await openGreeter();
  site = await openSite({
    '/': () => `<script>
      const settle = (promise) => promise.then((value) => value, () => 'failed');
      const open = (url) => new Promise((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.onmessage = ({ data }) => resolve(data);
        socket.onerror = reject;
      });
      report = (async () => ({
        upload: await settle(fetch('/upload', { method: 'POST', body: 'x'.repeat(200000) }).then((r) => r.text())),
        events: await new Promise((resolve) => { const seen = []; new EventSource('/events').onmessage = ({ data }) => { seen.push(data); if (seen.length === 2) resolve(seen) } }),
        socket: await settle(open('ws://127.0.0.1:${String(sockets.port)}/')),
        metadata: await Promise.all(['http://169.254.169.254/', 'https://169.254.169.254/', 'http://[::ffff:a9fe:a9fe]/', 'http://2852039166/'].map((url) => settle(fetch(url, { mode: 'no-cors' }).then(() => 'answered')))),
        metadataSocket: await settle(open('ws://169.254.169.254/')),
        nowhere: await settle(fetch('http://nowhere.invalid/', { mode: 'no-cors' }).then(() => 'answered')),
      }))();
    </script>`,
    '/upload': async (request) => String((await text(request)).length),
    '/events': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      setImmediate(() => response.write('data: 2\n\n'));
      return undefined;
    },
    '/to-metadata': { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await sockets[Symbol.asyncDispose]();
});

it('carries uploads, event streams and WebSockets of a real page, and nothing to metadata addresses', async () => {
  const { report, entries } = await prober.probe({ url: site.url('/') });
  expect(report).toEqual({
    upload: '200000',
    events: ['1', '2'],
    socket: 'hello',
    metadata: ['failed', 'failed', 'failed', 'failed'],
    metadataSocket: 'failed',
    nowhere: 'failed',
  });
  const of = (outcome: string) => entries.filter((entry) => entry.outcome === outcome).map(({ host, port }) => `${host} ${String(port)}`);
  expect(of('allowed').sort()).toEqual([`127.0.0.1 ${String(site.port)}`, `127.0.0.1 ${String(sockets.port)}`].sort());
  expect(of('blocked').sort()).toEqual(['169.254.169.254 443', '169.254.169.254 80', '::ffff:a9fe:a9fe 80']);
  expect(of('unresolved')).toEqual(['nowhere.invalid 80']);
});

const blocked = (url: string) =>
  expect.objectContaining({ code: 'target_blocked', details: { target: { url, net_error: 'net::ERR_BLOCKED_BY_CLIENT' } } }) as Error;

it.each(['http://169.254.169.254/', 'https://169.254.169.254/', 'http://0xa9fea9fe/'])('%s as a target is a 403', async (url) => {
  await expect(prober.probe({ url })).rejects.toThrow(blocked(new URL(url).href));
});

it('a redirect to a metadata address is a 403', async () => {
  await expect(prober.probe({ url: site.url('/to-metadata') })).rejects.toThrow(blocked('http://169.254.169.254/latest/meta-data/'));
});
