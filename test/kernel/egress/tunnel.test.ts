import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { parseAuthority } from '../../../kernel/src/egress/forward.js';
import { openSite } from '../../helpers/site.js';
import { createLatch, get, openRawServer, tunnel } from './client.js';

describe('a tunnel', () => {
  it('carries bytes both ways, to any port, and counts them', async () => {
    await using origin = await openRawServer((socket) => socket.pipe(socket));
    await using egress = createEgress();
    const listener = await egress.open();
    const { status, socket } = await tunnel(listener.port, `localhost:${String(origin.port)}`);
    expect(status).toBe(200);
    socket.end('ping');
    expect(await text(socket)).toBe('ping');
    expect(listener.entries).toEqual([
      expect.objectContaining({ host: 'localhost', port: origin.port, address: '127.0.0.1', outcome: 'allowed', bytesIn: 4, bytesOut: 4 }),
    ]);
  });

  it('reaches an IPv6 literal', async () => {
    await using origin = await openRawServer((socket) => socket.end('six'), '::1');
    await using egress = createEgress();
    const { port } = await egress.open();
    const { socket } = await tunnel(port, `[::1]:${String(origin.port)}`);
    expect(await text(socket)).toBe('six');
  });

  it('shares an entry between connections to one destination', async () => {
    await using origin = await openRawServer((socket) => socket.end('12345'));
    await using egress = createEgress();
    const listener = await egress.open();
    for (let round = 0; round < 2; round += 1) await text((await tunnel(listener.port, `127.0.0.1:${String(origin.port)}`)).socket);
    expect(listener.entries).toHaveLength(1);
    expect(listener.entries[0]?.bytesIn).toBe(10);
  });

  it('is refused with 403 to a blocked address, with 502 where there is nobody', async () => {
    const site = await openSite({});
    await site[Symbol.asyncDispose]();
    await using egress = createEgress();
    const listener = await egress.open();
    expect((await tunnel(listener.port, '169.254.169.254:443')).status).toBe(403);
    expect((await tunnel(listener.port, `127.0.0.1:${String(site.port)}`)).status).toBe(502);
    expect((await tunnel(listener.port, 'nonsense')).status).toBe(400);
    expect(listener.entries.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['blocked', 'cloud metadata address'],
      ['failed', 'ECONNREFUSED'],
    ]);
  });

  it('passes a reset on as a reset', async () => {
    await using origin = await openRawServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const { socket } = await tunnel(port, `127.0.0.1:${String(origin.port)}`);
    socket.write('x');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('ends upstream when the browser leaves', async () => {
    const gone = createLatch();
    await using origin = await openRawServer((socket) => {
      socket.resume().once('end', gone.reach);
    });
    await using egress = createEgress();
    const { port } = await egress.open();
    const { socket } = await tunnel(port, `127.0.0.1:${String(origin.port)}`);
    socket.destroy();
    await gone.reached;
  });
});

describe('listeners', () => {
  it('keep records and judgements of their own, and end tunnels when disposed', async () => {
    await using origin = await openRawServer(() => undefined);
    await using egress = createEgress();
    const [a, b] = [await egress.open(), await egress.open()];
    expect(a.port).not.toBe(b.port);
    const { socket } = await tunnel(a.port, `127.0.0.1:${String(origin.port)}`);
    const closed = once(socket, 'close');
    socket.resume();
    socket.on('error', () => undefined);
    await a[Symbol.asyncDispose]();
    await closed;
    await a[Symbol.asyncDispose]();
    expect(b.entries).toEqual([]);
    await expect(get(a.port, 'http://127.0.0.1/')).rejects.toThrow('ECONNREFUSED');
  });
});

describe('parseAuthority', () => {
  it.each([
    ['A.test:443', { host: 'a.test', port: 443 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['a.test', undefined],
    ['a.test:0', undefined],
    ['a.test:65536', undefined],
    ['user@a.test:80', undefined],
    ['http://a.test:80', undefined],
    ['::1:80', undefined],
  ])('%s', (authority, expected) => {
    expect(parseAuthority(authority)).toEqual(expected);
  });
});
