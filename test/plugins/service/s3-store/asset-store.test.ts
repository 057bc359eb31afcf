import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { silentLogger } from '@platen/kernel';
import type { ServerAssetStore } from '@platen/server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { S3AssetStore } from '../../../../plugins/service/s3-store/src/asset-store.js';
import { sweepAssets } from '../../../../plugins/service/s3-store/src/sweep.js';
import { assetStoreContract, findIn, HEAD, name, signal } from '../../../server/assets/asset-store-contract.js';
import { openS3, type S3Server } from './s3-server.js';

const MIB = 1024 ** 2;
const PREFIX = 'platen/test/assets/';
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

const open = (lifetimeSeconds = 60): ServerAssetStore =>
  new S3AssetStore({ client: s3.client, prefix: PREFIX, lifetimeSeconds, log: silentLogger });

describe('the S3 store', () => {
  assetStoreContract(open);
});

it('several servers share assets: one stores, another publishes, a third finds and extends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asset = await open().put(HEAD, Buffer.from('one'), signal);
  const [published] = await open(10).publish([asset], name);
  expect(published?.expiresAt.getTime()).toBe(Date.now() + 10_000);
  const [extended] = await open().publish([(await findIn(open(), asset.id)).asset], name);
  expect(extended?.expiresAt.getTime()).toBe(Date.now() + 60_000);
  expect(extended?.publishedAt).toEqual(published?.publishedAt);
  const [again] = await open(10).publish([asset], name);
  expect(again?.expiresAt).toEqual(extended?.expiresAt);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await open().find(asset.id)).toBe('expired');
  await expect(open().publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
  await open().discard([asset]);
  const other = await open().put(HEAD, Buffer.from('two'), signal);
  await open().discard([other]);
  expect(await s3.keys()).toEqual([`${PREFIX}${asset.id}`, `${PREFIX}${asset.id}.json`]);
});

it('stores large assets in parts, also from memory, and reads ranges over them', async () => {
  const store = open();
  const bytes = randomBytes(21 * MIB);
  for (const body of [bytes, Readable.from(chunksOf(bytes, 100_003))]) {
    const asset = await store.put(HEAD, body, signal);
    await store.publish([asset], name);
    const { asset: found } = await findIn(store, asset.id);
    expect((await buffer(found.open())).equals(bytes)).toBe(true);
    const range = { start: 8 * MIB - 5, end: 8 * MIB + 4 };
    expect(await buffer(found.open(range))).toEqual(bytes.subarray(range.start, range.end + 1));
  }
  expect(s3.requests.filter((request) => request.includes('partNumber='))).toHaveLength(6);
});

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it.each(['source', 'service', 'render'])('nothing remains of a large asset whose %s fails in the middle', async (what) => {
  const rendering = new AbortController();
  const source = new Readable({ read: () => undefined });
  for (const chunk of chunksOf(randomBytes(9 * MIB), MIB)) source.push(chunk);
  const begun = new Promise<void>((resolve) => {
    s3.fault = (request, response) => {
      if (request.url?.includes('partNumber=') !== true) return false;
      resolve();
      if (what === 'service') response.writeHead(500).end();
      return what === 'service';
    };
  });
  const putting = open().put(HEAD, source, rendering.signal);
  putting.catch(() => undefined);
  await begun;
  if (what === 'source') source.destroy(new Error('it failed'));
  if (what === 'render') rendering.abort(new Error('it ended'));
  if (what === 'service') source.push(null);
  await expect(putting).rejects.toThrow(what === 'service' ? 'the asset store is unavailable' : 'it ');
  expect(source.destroyed).toBe(true);
  expect(await s3.keys()).toEqual([]);
  expect(s3.requests.some((request) => request.startsWith('DELETE') && request.includes('uploadId='))).toBe(true);
});

it('bytes that were cut off or removed are never served', async () => {
  const store = open();
  const asset = await store.put(HEAD, Buffer.from('one two'), signal);
  await store.publish([asset], name);
  const { asset: found } = await findIn(store, asset.id);
  await s3.client.send({ method: 'PUT', key: PREFIX + asset.id, body: Buffer.from('one TWO'), sha256: 'UNSIGNED-PAYLOAD' });
  await expect(text(found.open())).rejects.toThrow('corrupt');
  await truncate(s3.fileOf(PREFIX + asset.id), 3);
  expect(await store.find(asset.id)).toBe('expired');
  await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
  await s3.client.send({ method: 'DELETE', key: PREFIX + asset.id });
  await expect(text(found.open())).rejects.toThrow('no longer exist');
  await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
});

it('a connection that is lost while bytes are read breaks the response, and the next one is whole', async () => {
  const store = open();
  const bytes = randomBytes(4 * MIB);
  const asset = await store.put(HEAD, bytes, signal);
  s3.fault = (_request, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length) });
    response.write(bytes.subarray(0, MIB), () => response.destroy());
    return true;
  };
  await expect(buffer(asset.open())).rejects.toThrow();
  s3.fault = undefined;
  expect((await buffer(asset.open())).equals(bytes)).toBe(true);
});

it('clients read that the store is unavailable, and nothing of how it failed', async () => {
  s3.fault = (_request, response) => {
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    return true;
  };
  const message = 'the asset store is unavailable';
  const store = open();
  await expect(store.put(HEAD, Buffer.from('one'), signal)).rejects.toMatchObject({ code: 'overloaded', message, expose: true });
  await expect(store.find('A'.repeat(22))).rejects.toMatchObject({ code: 'overloaded', message });
});

it('L6: a sweep removes what has expired, after a day its record, and bytes that were never published', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const store = open();
  const [published, orphan] = [await store.put(HEAD, Buffer.from('one'), signal), await store.put(HEAD, Buffer.from('two'), signal)];
  await store.publish([published], name);
  const keysAfter = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    await sweepAssets(s3.client, { prefix: PREFIX, lifetimeSeconds: 60, signal });
    return new Set(await s3.keys());
  };
  const [bytes, record, other] = [`${PREFIX}${published.id}`, `${PREFIX}${published.id}.json`, `${PREFIX}${orphan.id}`];
  expect(await keysAfter(60_000)).toEqual(new Set([bytes, record, other]));
  expect(await keysAfter(6 * 60_000)).toEqual(new Set([record, other]));
  expect(await store.find(published.id)).toBe('expired');
  expect(await keysAfter(24 * 3600_000)).toEqual(new Set([]));
});
