import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createMemoryStore, silentLogger, type AssetStore, type PublishedAsset } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskStore } from '../../../server/src/assets/disk-store.js';

const HEAD = { name: 'har', contentType: 'application/json', extension: 'har' };
const { signal } = new AbortController();
const name = () => 'page.har';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const openDiskStore = (lifetimeSeconds = 60, maxBytes = 1000) =>
  new DiskStore({ folders: [folder], lifetimeSeconds, maxBytes, log: silentLogger });

async function findIn(store: Pick<AssetStore, 'find'>, id: string): Promise<PublishedAsset> {
  const found = await store.find(id);
  if (found === undefined || found === 'expired') throw new Error('the asset is not there');
  return found;
}

describe.each<[string, () => AssetStore]>([
  ['disk store', openDiskStore],
  ['memory store', createMemoryStore],
])('publish of the %s', (_title, open) => {
  it('may be called again, with the asset that was put and with the one that is found', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    const [first] = await store.publish([asset], name);
    const [again] = await store.publish([asset], name);
    const found = await findIn(store, asset.id);
    const [third] = await store.publish([found.asset], () => 'other.har');
    expect([again?.asset.id, third?.asset.id, third?.fileName]).toEqual([asset.id, asset.id, 'other.har']);
    expect(third?.publishedAt).toEqual(first?.publishedAt);
    expect(await text((await findIn(store, asset.id)).asset.open())).toBe('one');
  });

  it('succeeds for every answer that names the same assets at the same time', async () => {
    const store = open();
    const assets = [await store.put(HEAD, Buffer.from('one'), signal), await store.put(HEAD, Buffer.from('two'), signal)];
    const published = await Promise.all(Array.from({ length: 20 }, () => store.publish(assets, name)));
    for (const list of published) expect(list.map(({ asset }) => asset.id)).toEqual(assets.map(({ id }) => id));
    for (const { id, bytes } of assets) expect((await text((await findIn(store, id)).asset.open())).length).toBe(bytes);
  });

  it('rejects with "gone" for an asset that was discarded', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    await store.discard([asset]);
    await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone', message: 'the asset "har" no longer exists' });
    expect(await store.find(asset.id)).toBeUndefined();
  });

  it('is not undone by an answer that discards the asset afterwards', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    await store.publish([asset], name);
    await store.discard([asset]);
    expect(await text((await findIn(store, asset.id)).asset.open())).toBe('one');
  });

  it('leaves the asset that was put readable', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    expect(await text(asset.open())).toBe('one');
    await store.publish([asset], name);
    expect(await text(asset.open({ start: 1, end: 2 }))).toBe('ne');
  });
});

describe('publish of the disk store, again', () => {
  const start = () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    return openDiskStore();
  };

  it('renews the lifetime, from then on', async () => {
    const store = start();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    await store.publish([asset], name);
    vi.setSystemTime(Date.now() + 50_000);
    const [renewed] = await store.publish([asset], name);
    expect(renewed?.expiresAt.getTime()).toBe(Date.now() + 60_000);
    vi.setSystemTime(Date.now() + 50_000);
    await store.sweep();
    expect(await findIn(store, asset.id)).toMatchObject({ fileName: 'page.har' });
    vi.setSystemTime(Date.now() + 10_000);
    expect(await store.find(asset.id)).toBe('expired');
    store.close();
  });

  it('rejects with "gone" for one that has expired, and does not bring it back', async () => {
    const store = start();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    await store.publish([asset], name);
    vi.setSystemTime(Date.now() + 60_000);
    await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
    await store.sweep();
    await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
    expect(await store.find(asset.id)).toBe('expired');
    store.close();
  });

  it('never shortens a lifetime, and holds for other servers that use the folder', async () => {
    const store = start();
    const other = openDiskStore(10);
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    const [first] = await store.publish([asset], name);
    const [elsewhere] = await other.publish([(await findIn(other, asset.id)).asset], name);
    expect(elsewhere?.expiresAt).toEqual(first?.expiresAt);
    vi.setSystemTime(Date.now() + 55_000);
    await other.publish([asset], name);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await findIn(store, asset.id)).toMatchObject({ asset: { id: asset.id } });
    store.close();
    other.close();
  });

  it('makes the asset one of the youngest, which are the last to make room', async () => {
    const store = openDiskStore(60, 10);
    const put = (body: string) => store.put(HEAD, Buffer.from(body), signal);
    const [first, second] = [await put('aaaa'), await put('bbbb')];
    await store.publish([first, second], name);
    await store.publish([first], name);
    await put('cccc');
    expect(await store.find(second.id)).toBe('expired');
    expect(await findIn(store, first.id)).toMatchObject({ asset: { bytes: 4 } });
    store.close();
  });

  it('rejects with "gone" where somebody else has removed the file', async () => {
    const store = openDiskStore();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    await store.publish([asset], name);
    await rm(join(folder, asset.id));
    await expect(store.publish([asset], name)).rejects.toMatchObject({ code: 'gone' });
    store.close();
  });
});
