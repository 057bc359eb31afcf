import { randomBytes } from 'node:crypto';
import { readFile, truncate } from 'node:fs/promises';
import { silentLogger } from '@platen/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { S3ResultStore } from '../../../../plugins/service/s3-store/src/result-store.js';
import { bodyOf, keyOf, put, recordOf, resultStoreContract } from '../cache/result-store-contract.js';
import { openS3, type S3Server } from './s3-server.js';

const MIB = 1024 ** 2;
const PREFIX = 'platen/test/results/';
let s3: S3Server;
beforeAll(async () => {
  s3 = await openS3();
});
afterEach(async () => {
  s3.fault = undefined;
  vi.useRealTimers();
  for (const key of await s3.keys()) await s3.client.send({ method: 'DELETE', key });
});
afterAll(() => s3[Symbol.asyncDispose]());

const open = (limits: { readonly maxBytes?: number; readonly ttlMs?: number } = {}) =>
  Promise.resolve(
    new S3ResultStore({ client: s3.client, prefix: PREFIX, maxBytes: 1024 * MIB, ttlMs: 3_600_000, log: silentLogger, ...limits }),
  );

describe('the S3 store', () => {
  resultStoreContract(open);
});

it('a hit is one request', async () => {
  const store = await open();
  await put(store, 'a', randomBytes(2 * MIB));
  const before = s3.requests.length;
  await bodyOf(await store.find(keyOf('a')));
  expect(s3.requests.slice(before)).toEqual([`GET /renders/${PREFIX}${keyOf('a')}`]);
});

describe.each([
  ['small', 40],
  ['large', 2 * MIB],
])('a damaged result that is %s', (_title, bytes) => {
  it.each<[string, (whole: Buffer) => Buffer]>([
    ['with a changed body', (whole) => Buffer.concat([whole.subarray(0, -1), Buffer.from([(whole.at(-1) ?? 0) ^ 1])])],
    ['cut off', (whole) => whole.subarray(0, -1)],
    ['grown', (whole) => Buffer.concat([whole, Buffer.from('x')])],
    ['without its record', (whole) => whole.subarray(20)],
    ['empty', () => Buffer.alloc(0)],
    ['of another key', (whole) => Buffer.from(whole.toString('latin1').replace(keyOf('a'), keyOf('b')), 'latin1')],
    ['without a line', () => Buffer.alloc(200_000, 'x')],
  ])('%s is never served whole, and is deleted', async (_what, damage) => {
    const store = await open();
    await put(store, 'a', randomBytes(bytes));
    const body = damage(await readFile(s3.fileOf(PREFIX + keyOf('a'))));
    await s3.client.send({ method: 'PUT', key: PREFIX + keyOf('a'), body, sha256: 'UNSIGNED-PAYLOAD' });
    const served = await store
      .find(keyOf('a'))
      .then(bodyOf)
      .catch(() => undefined);
    expect(served).toBeUndefined();
    expect(await store.find(keyOf('a'))).toBeUndefined();
    expect(await s3.keys()).toEqual([]);
  });
});

it('a result that is purged while it is uploaded does not remain', async () => {
  const store = await open();
  let isWanted = true;
  s3.fault = ({ method }) => {
    if (method === 'PUT') isWanted = false;
    return false;
  };
  expect(await store.put(recordOf('a', Buffer.from('a')), Buffer.from('a'), () => isWanted)).toBe(false);
  expect(await s3.keys()).toEqual([]);
});

it('a sweep removes expired results and the oldest beyond the limit, also of other servers', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = await open({ maxBytes: 25_000, ttlMs: 60_000 });
  for (const name of ['a', 'b', 'c']) await put(await open(), name, Buffer.alloc(10_000));
  await store.sweep();
  expect(store.entries).toBe(2);
  expect(store.bytes).toBeLessThanOrEqual(25_000);
  vi.setSystemTime(Date.now() + 61_000);
  await store.sweep();
  expect([store.entries, await s3.keys()]).toEqual([0, []]);
});

it('a failed write is remembered until one succeeds', async () => {
  const store = await open();
  s3.fault = (_request, response) => {
    response.writeHead(403).end();
    return true;
  };
  await expect(put(store, 'a', Buffer.from('a'))).rejects.toThrow('status 403');
  expect(store.isWritable).toBe(false);
  s3.fault = undefined;
  await put(store, 'a', Buffer.from('a'));
  expect(store.isWritable).toBe(true);
  await truncate(s3.fileOf(PREFIX + keyOf('a')), 0);
});
