import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { createSelfListeners } from '../../../kernel/src/egress/self-listeners.js';
import { get, tunnel } from './client.js';

function check(bound: string, address: string, port = 3000) {
  const own = createSelfListeners();
  own.add({ address: bound, port: 3000 });
  return own.filterAddress({ address, port, host: 'some.test' }) === undefined ? 'passes' : 'refused';
}

const ofThisHost = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []);

describe('a listener of the server', () => {
  it.each(['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::', '::127.0.0.1'])(
    'at 127.0.0.1 is not reached by %s',
    (address) => {
      expect(check('127.0.0.1', address)).toBe('refused');
    },
  );

  it.each(['::1', '0:0:0:0:0:0:0:1', '::', '0.0.0.0'])('at ::1 is not reached by %s', (address) => {
    expect(check('::1', address)).toBe('refused');
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::', ...ofThisHost])('at all addresses is not reached by %s', (address) => {
    expect([check('0.0.0.0', address), check('::', address)]).toEqual(['refused', 'refused']);
  });

  it('leaves other ports and other addresses alone', () => {
    expect(check('127.0.0.1', '127.0.0.1', 3001)).toBe('passes');
    expect(check('127.0.0.1', '127.0.0.2')).toBe('passes');
    expect(check('0.0.0.0', '93.184.215.14')).toBe('passes');
  });

  it('is forgotten when it is closed', () => {
    const own = createSelfListeners();
    const listener = { address: '127.0.0.1', port: 3000 };
    own.add(listener);
    own.delete(listener);
    expect(own.filterAddress({ address: '127.0.0.1', port: 3000, host: 'some.test' })).toBeUndefined();
  });
});

it('the way out of one render is not reached by another', async () => {
  await using egress = createEgress();
  const [mine, other] = [await egress.open(), await egress.open()];
  await expect(get(mine.port, `http://127.0.0.1:${String(other.port)}/`)).rejects.toThrow();
  const { status, socket } = await tunnel(mine.port, `localhost:${String(other.port)}`);
  socket.destroy();
  expect(status).toBe(403);
  expect(mine.entries.map(({ outcome }) => outcome)).toEqual(['blocked', 'blocked']);
  expect(other.entries).toEqual([]);
});
