import { OutboundError, type Outbound, type OutboundResponse } from '@platen/kernel';
import { expect, it } from 'vitest';
import { createKeyStore } from '../../../../plugins/page/web-bot-auth/src/key-store.js';
import { createKey } from './keys.js';

const TEN_MINUTES = 600_000;
const { pem, jwk } = createKey();
const answer = (body: string, status = 200): OutboundResponse => ({ url: '', status, headers: {}, body: Buffer.from(body) });

/** A store whose fetches are answered in turn, at a time of the test's own; an answer may be a failure. */
function openStore(...answers: readonly (OutboundResponse | Error)[]) {
  const fetched: string[] = [];
  let time = 0;
  const fetch: Outbound['fetch'] = (url) => {
    const next = answers[Math.min(fetched.length, answers.length - 1)];
    fetched.push(url);
    return next instanceof Error || next === undefined ? Promise.reject(next ?? new Error('no answer')) : Promise.resolve(next);
  };
  return {
    fetched,
    store: createKeyStore({ fetch }, () => time),
    after(milliseconds: number) {
      time += milliseconds;
    },
  };
}

const url = (path = '/key') => new URL(path, 'https://keys.test');

it('fetches a key once in ten minutes, whoever asks', async () => {
  const { store, fetched, after } = openStore(answer(pem));
  const [first, second] = await Promise.all([store.load(url()), store.load(url())]);
  expect(second).toBe(first);
  after(TEN_MINUTES - 1);
  await store.load(url());
  expect(fetched).toHaveLength(1);
  after(1);
  await store.load(url());
  expect(fetched).toEqual(['https://keys.test/key', 'https://keys.test/key']);
});

it('takes a JWK as well', async () => {
  await expect(openStore(answer(JSON.stringify(jwk))).store.load(url())).resolves.toMatchObject({ asymmetricKeyType: 'ed25519' });
});

it('keeps no failure, and names the host alone', async () => {
  const { store, fetched } = openStore(answer('gone', 404), new OutboundError('unreachable', 'why'), answer('no key'), answer(pem));
  const secret = new URL('https://user:pass@keys.test/secret?key=1');
  await expect(store.load(secret)).rejects.toThrow(/^has a KEY that could not be fetched: keys\.test responded with 404$/);
  await expect(store.load(secret)).rejects.toThrow(/^has a KEY that could not be fetched from keys\.test$/);
  await expect(store.load(secret)).rejects.toThrow(
    'must have a KEY that is an Ed25519 private key, as PKCS#8 PEM or JWK: this one is neither',
  );
  await store.load(secret);
  expect(fetched).toHaveLength(4);
});

it('goes on with a key whose host cannot be reached any more, and without one that its host has taken away', async () => {
  const { store, after } = openStore(answer(pem), new OutboundError('timeout', 'late'), answer('', 410));
  const key = await store.load(url());
  after(TEN_MINUTES);
  await expect(store.load(url())).resolves.toBe(key);
  after(TEN_MINUTES);
  await expect(store.load(url())).rejects.toThrow('responded with 410');
});

it('holds a hundred keys', async () => {
  const { store, fetched } = openStore(answer(pem));
  for (let index = 0; index <= 100; index++) await store.load(url(`/${String(index)}`));
  await store.load(url('/100'));
  await store.load(url('/1'));
  expect(fetched).toHaveLength(101);
  await store.load(url('/0'));
  expect(fetched).toHaveLength(102);
});
