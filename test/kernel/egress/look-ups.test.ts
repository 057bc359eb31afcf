import { promises } from 'node:dns';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { createOutbound } from '../../../kernel/src/egress/outbound.js';

const { Resolver } = promises;

/** Name servers that answer nothing. */
function silence() {
  const never = () => new Promise<never>(() => undefined);
  const asked = vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(never);
  vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(never);
  return { asked, ended: vi.spyOn(Resolver.prototype, 'cancel') };
}

/** For a busy machine. */
const WAIT = { timeout: 20_000 };

describe('look-ups end', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('with their render', async () => {
    const { asked, ended } = silence();
    await using egress = createEgress();
    const listener = await egress.open();
    const socket = connect(listener.port, '127.0.0.1', () => socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n'));
    socket.on('error', () => undefined);
    await vi.waitFor(() => {
      expect(asked).toHaveBeenCalled();
    }, WAIT);
    expect(ended).not.toHaveBeenCalled();
    await listener[Symbol.asyncDispose]();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('with the fetch that needs them', async () => {
    const { asked, ended } = silence();
    const over = new AbortController();
    const fetched = createOutbound({ addressFilters: [] }).fetch('http://a.test/', { maxBytes: 1, timeoutMs: 60_000, signal: over.signal });
    const failed = expect(fetched).rejects.toThrow('enough');
    await vi.waitFor(() => {
      expect(asked).toHaveBeenCalled();
    }, WAIT);
    over.abort(new Error('enough'));
    await failed;
    expect(ended).toHaveBeenCalledTimes(1);
  });
});

it('a name that no name server answers for is a fault in words', async () => {
  const resolve = () => Promise.reject(Object.assign(new Error('silence'), { code: 'ETIMEOUT' }));
  const fetched = createOutbound({ addressFilters: [], resolve }).fetch('http://a.test/', { maxBytes: 1, timeoutMs: 60_000 });
  await expect(fetched).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'http://a.test/ could not be fetched: no name server responded for its name in time',
  });
});
