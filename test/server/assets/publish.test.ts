import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore, silentLogger, type AssetStore } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskStore } from '../../../server/src/assets/disk-store.js';
import { assetStoreContract, findIn, HEAD, name, signal } from './asset-store-contract.js';

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

describe.each<[string, () => AssetStore]>([
  ['disk store', openDiskStore],
  ['memory store', createMemoryStore],
])('the %s', (_title, open) => {
  assetStoreContract(open);
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
