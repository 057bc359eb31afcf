import { once } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { openSite } from '../../helpers/site.js';
import { ask, createLatch, exchangeBytes, get, getOf, openRawServer } from './client.js';

const CRLF = '\r\n';

describe('plain http through the proxy', () => {
  it('passes status, headers and body on, and counts the bytes', async () => {
    await using site = await openSite({ '/a': { status: 203, headers: { 'x-one': '1' }, body: 'hello' } });
    await using egress = createEgress();
    const listener = await egress.open();
    const answer = await get(listener.port, site.url('/a?q=%7E'));
    expect(answer).toMatchObject({ status: 203, body: 'hello', headers: { 'x-one': '1' } });
    expect(site.requests[0]?.url).toBe('/a?q=%7E');
    expect(listener.entries).toEqual([
      expect.objectContaining({ host: '127.0.0.1', port: site.port, address: '127.0.0.1', outcome: 'allowed' }),
    ]);
    expect(listener.entries[0]?.bytesIn).toBeGreaterThan(100);
    expect(listener.entries[0]?.bytesOut).toBeGreaterThan(20);
  });

  it('sends what the browser would have sent without a proxy', async () => {
    const seen: string[] = [];
    await using origin = await openRawServer((socket) => {
      socket.once('data', (bytes) => {
        seen.push(bytes.toString());
        socket.end(`HTTP/1.1 200 OK${CRLF}Content-Length: 2${CRLF}${CRLF}ok`);
      });
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const head = [
      `GET http://127.0.0.1:${String(origin.port)}/p?x=1 HTTP/1.1`,
      `Host: some.test`,
      'Proxy-Connection: keep-alive',
      'X-Mine: 1',
      'Proxy-Authorization: Basic Zm9v',
      'x-mine: 2',
      'Connection: X-Hop',
      'X-Hop: gone',
      'TE: trailers',
      'Upgrade: h2c',
    ];
    await exchangeBytes(port, `${head.join(CRLF)}${CRLF}${CRLF}`);
    expect(seen).toEqual([
      ['GET /p?x=1 HTTP/1.1', 'Host: some.test', 'Connection: keep-alive', 'X-Mine: 1', 'x-mine: 2', '', ''].join(CRLF),
    ]);
  });

  it('passes an answer on byte by byte, whatever it is', async () => {
    const answer = Buffer.from(
      ['HTTP/1.1 200', 'Set-Cookie: a=1', 'set-cookie : b=2', 'no field', 'X-L\u00e4tin: caf\u00e9 \u0001', 'Keep-Alive: timeout=9'].join(
        '\n',
      ) + `\nContent-Length: 2\nContent-Length: 2\n\nok`,
      'latin1',
    );
    await using origin = await openRawServer((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, getOf(origin))).toBe(answer.toString());
  });

  it('carries an upload, chunked or not, and a body-less POST', async () => {
    await using site = await openSite({
      '/up': async (request) => `${request.headers['content-length'] ?? 'chunked'}:${await text(request)}`,
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const body = 'x'.repeat(300_000);
    expect((await get(port, site.url('/up'), { method: 'POST', body, headers: { 'content-length': '300000' } })).body).toBe(
      `300000:${body}`,
    );
    expect((await get(port, site.url('/up'), { method: 'PUT', body, headers: { 'transfer-encoding': 'chunked' } })).body).toBe(
      `chunked:${body}`,
    );
    expect((await get(port, site.url('/up'), { method: 'POST', headers: { 'content-length': '0' } })).body).toBe('0:');
  });

  it('carries a method that only its site knows', async () => {
    await using origin = await openRawServer((socket) => {
      socket.once('data', (bytes) => socket.end(`HTTP/1.1 200 OK${CRLF}${CRLF}${bytes.toString().split(' ')[0] ?? ''}`));
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, getOf(origin).replace('GET', 'x-Brew'))).toMatch(/x-Brew$/);
  });

  it('passes events on as they come', async () => {
    const more = createLatch();
    await using site = await openSite({
      '/events': async (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        response.write('data: 1\n\n');
        await more.reached;
        response.end('data: 2\n\n');
        return undefined;
      },
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const outgoing = ask(port, site.url('/events'));
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const [first] = (await once(incoming, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: 1\n\n');
    more.reach();
    expect(await text(incoming)).toBe('data: 2\n\n');
  });

  it('uses a connection again, and ends the browser side when the site ends the idle one', async () => {
    let connections = 0;
    await using origin = await openRawServer((socket) => {
      connections += 1;
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK${CRLF}Content-Length: 2${CRLF}${CRLF}ok`));
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const agent = new Agent({ keepAlive: true });
    const url = `http://127.0.0.1:${String(origin.port)}/`;
    const first = ask(port, url, { agent });
    first.end();
    const [socket] = (await once(first, 'socket')) as [Socket];
    const [incoming] = (await once(first, 'response')) as [IncomingMessage];
    await text(incoming);
    await get(port, url, { agent });
    expect(connections).toBe(1);
    const closed = once(socket, 'close');
    for (const upstream of origin.sockets) upstream.end();
    await closed;
    expect((await get(port, url, { agent })).body).toBe('ok');
    expect(connections).toBe(2);
    agent.destroy();
  });

  it('breaks off where the site breaks off', async () => {
    await using origin = await openRawServer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK${CRLF}Content-Length: 100${CRLF}${CRLF}part`, () => socket.resetAndDestroy());
      });
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    await expect(get(port, `http://127.0.0.1:${String(origin.port)}/`)).rejects.toThrow();
  });

  it('leaves the site when the browser leaves', async () => {
    const gone = createLatch();
    await using origin = await openRawServer((socket) => {
      socket.resume().once('end', gone.reach);
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK${CRLF}Content-Length: 100${CRLF}${CRLF}part`));
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const outgoing = ask(port, `http://127.0.0.1:${String(origin.port)}/`);
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    outgoing.destroy();
    await gone.reached;
  });

  it('reads no faster than the browser does', async () => {
    const total = 256 * 1024 * 1024;
    let sent = 0;
    const stuck = createLatch();
    await using origin = await openRawServer((socket) => {
      const chunk = Buffer.alloc(1024 * 1024);
      const push = (): void => {
        while (sent < total) {
          sent += chunk.length;
          if (!socket.write(chunk)) {
            stuck.reach();
            socket.once('drain', push);
            return;
          }
        }
      };
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK${CRLF}Content-Length: ${String(total)}${CRLF}${CRLF}`);
        push();
      });
    });
    await using egress = createEgress();
    const listener = await egress.open();
    const outgoing = ask(listener.port, `http://127.0.0.1:${String(origin.port)}/`);
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    await stuck.reached;
    // The count stops growing once every buffer on the way is full: far before the end.
    let before = -1;
    await vi.waitUntil(
      () => {
        const still = before === sent;
        before = sent;
        return still;
      },
      { interval: 200, timeout: 20_000 },
    );
    expect(sent).toBeLessThan(total / 2);
    outgoing.destroy();
  });
});

describe('plain http that is refused', () => {
  it('ends the connection instead of answering for the site', async () => {
    await using egress = createEgress({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    const listener = await egress.open();
    await expect(get(listener.port, 'http://169.254.169.254/latest/meta-data/')).rejects.toThrow('socket hang up');
    await expect(get(listener.port, 'http://[::ffff:a9fe:a9fe]/')).rejects.toThrow('socket hang up');
    await expect(get(listener.port, 'http://nowhere.test:81/')).rejects.toThrow('socket hang up');
    expect(listener.entries).toEqual([
      expect.objectContaining({
        host: '169.254.169.254',
        port: 80,
        address: '169.254.169.254',
        outcome: 'blocked',
        reason: 'cloud metadata address',
        bytesIn: 0,
      }),
      expect.objectContaining({ host: '::ffff:a9fe:a9fe', outcome: 'blocked' }),
      expect.objectContaining({ host: 'nowhere.test', port: 81, address: undefined, outcome: 'unresolved', reason: 'ENOTFOUND' }),
    ]);
  });

  it('records a connection that nobody took', async () => {
    const site = await openSite({});
    await site[Symbol.asyncDispose]();
    await using egress = createEgress();
    const listener = await egress.open();
    await expect(get(listener.port, site.url('/'))).rejects.toThrow('socket hang up');
    expect(listener.entries).toEqual([expect.objectContaining({ outcome: 'failed', reason: 'ECONNREFUSED', address: '127.0.0.1' })]);
  });

  it.each([
    ['a prerendering', { 'sec-purpose': 'prefetch;prerender' }, false],
    ['a prefetched navigation', { 'sec-purpose': 'prefetch', 'sec-fetch-mode': 'navigate' }, false],
    ['a prefetch of speculation rules', { 'sec-purpose': 'prefetch', 'sec-speculation-tags': 'null' }, false],
    ['a <link rel=prefetch>', { 'sec-purpose': 'prefetch', 'sec-fetch-mode': 'no-cors' }, true],
    ['a <link rel=prefetch> to a site that is not trustworthy', { 'sec-purpose': 'prefetch' }, true],
    ['a header that a page can set', { purpose: 'prefetch' }, true],
  ])('fetches nothing on speculation: %s', async (_what, headers, passes) => {
    await using site = await openSite({ '/': 'page' });
    await using egress = createEgress();
    const listener = await egress.open();
    const answer = get(listener.port, site.url('/'), { headers });
    if (passes) expect((await answer).status).toBe(200);
    else await expect(answer).rejects.toThrow('socket hang up');
    expect([site.requests.length, listener.entries.length]).toEqual(passes ? [1, 1] : [0, 0]);
  });

  it.each(['my%20site.invalid', 'xn--a'])('no answer passes for that of a host that is none: %s', async (host) => {
    await using egress = createEgress();
    const listener = await egress.open();
    const bytes = `GET http://${host}:81/ HTTP/1.1${CRLF}Host: ${host}${CRLF}Connection: close${CRLF}${CRLF}`;
    expect(await exchangeBytes(listener.port, bytes)).toBe('');
    expect(listener.entries).toMatchObject([{ host, port: 81, outcome: 'unresolved' }]);
  });

  it.each(['ftp://127.0.0.1/', '/origin-form', 'http:///', 'https://127.0.0.1/'])('takes no request for %s', async (target) => {
    await using egress = createEgress();
    const { port } = await egress.open();
    expect(await exchangeBytes(port, `GET ${target} HTTP/1.1${CRLF}Host: x${CRLF}Connection: close${CRLF}${CRLF}`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});
