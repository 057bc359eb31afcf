import { once } from 'node:events';
import { Readable } from 'node:stream';
import { NO_ASSETS } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { openSocket } from '../raw-http.js';
import { output, useServers } from '../test-server.js';

const start = useServers();

function createDeferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('a client that leaves', () => {
  it('with several requests in flight on one connection: each of them is over', async () => {
    const signals: AbortSignal[] = [];
    const all = createDeferred();
    const server = await start({
      render: async (_, { signal }) => {
        if (signal === undefined) throw new Error('the server must pass a signal');
        signals.push(signal);
        if (signals.length === 12) all.resolve();
        await once(signal, 'abort');
        throw signal.reason;
      },
    });
    const over = server.finished(() => server.records.length === 12);
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const socket = openSocket(server.port);
    socket.write('GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(12));
    await all.promise;
    socket.destroy();
    await over;
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
    expect(new Set(server.records.map(({ status, code }) => `${String(status)} ${String(code)}`))).toEqual(new Set(['499 client_closed']));
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ in_flight: 0 });
  });

  it('while a stream waits behind another answer on the connection: the stream is destroyed', async () => {
    const full = createDeferred();
    let reads = 0;
    const body = new Readable({
      read() {
        reads += 1;
        this.push(Buffer.alloc(64 * 1024));
        if (reads === 2) full.resolve();
      },
    });
    const closed = once(body, 'close').catch(() => undefined);
    const first = createDeferred();
    let renders = 0;
    const server = await start({
      render: async (_, { signal }) => {
        renders += 1;
        if (renders > 1) return { output: { ...output('png'), body: body }, assets: NO_ASSETS, headers: {}, timings: {} };
        first.resolve();
        if (signal !== undefined) await once(signal, 'abort');
        throw signal?.reason;
      },
    });
    const over = server.finished(() => server.records.length === 2);
    const socket = openSocket(server.port);
    socket.write('GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
    await Promise.all([first.promise, full.promise]);
    socket.destroy();
    await Promise.all([closed, over]);
    expect(server.records).toMatchObject([{ code: 'client_closed' }, { code: 'client_closed' }]);
  });
});
