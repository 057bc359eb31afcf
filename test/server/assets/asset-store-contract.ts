import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AssetStore, PublishedAsset } from '@platen/kernel';
import { expect, it } from 'vitest';

export const HEAD = { name: 'har', contentType: 'application/json', extension: 'har' };
export const { signal } = new AbortController();
export const name = () => 'page.har';

export async function findIn(store: Pick<AssetStore, 'find'>, id: string): Promise<PublishedAsset> {
  const found = await store.find(id);
  if (found === undefined || found === 'expired') throw new Error('the asset is not there');
  return found;
}

/** Every store of additional assets. */
export function assetStoreContract(open: () => AssetStore): void {
  it('stores, hashes and returns bytes, also in ranges, once they are published', async () => {
    const store = open();
    const asset = await store.put(HEAD, Readable.from([Buffer.from('one '), Buffer.from('two')]), signal);
    expect(asset).toMatchObject({ ...HEAD, bytes: 7, sha256: createHash('sha256').update('one two').digest('hex') });
    expect(Buffer.from(asset.id, 'base64url')).toHaveLength(16);
    expect(await store.find(asset.id)).toBeUndefined();
    await store.publish([asset], ({ extension }) => `page.${extension}`);
    const found = await findIn(store, asset.id);
    expect(found).toMatchObject({ fileName: 'page.har', asset: { id: asset.id, bytes: 7 } });
    expect(await text(found.asset.open())).toBe('one two');
    expect(await text(found.asset.open({ start: 4, end: 5 }))).toBe('tw');
  });

  it('stores an empty asset', async () => {
    const store = open();
    const asset = await store.put(HEAD, Readable.from([]), signal);
    await store.publish([asset], name);
    expect(await text((await findIn(store, asset.id)).asset.open())).toBe('');
  });

  it('rejects with the error of the source, and for a render that has ended', async () => {
    const store = open();
    const failing = new Readable({ read: () => undefined });
    failing.push('half');
    const putting = store.put(HEAD, failing, signal);
    failing.destroy(new Error('the source failed'));
    await expect(putting).rejects.toThrow('the source failed');
    const controller = new AbortController();
    const endless = store.put(HEAD, new Readable({ read: () => undefined }), controller.signal);
    controller.abort(new Error('left'));
    await expect(endless).rejects.toThrow();
  });

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

  it('either succeeds or rejects with "gone" if another answer discards the asset at the same time', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    const [published] = await Promise.allSettled([store.publish([asset], name), store.discard([asset])]);
    if (published.status === 'rejected') expect(published.reason).toMatchObject({ code: 'gone' });
    else expect(await text((await findIn(store, asset.id)).asset.open())).toBe('one');
  });

  it('leaves the asset that was put readable', async () => {
    const store = open();
    const asset = await store.put(HEAD, Buffer.from('one'), signal);
    expect(await text(asset.open())).toBe('one');
    await store.publish([asset], name);
    expect(await text(asset.open({ start: 1, end: 2 }))).toBe('ne');
  });

  it.each(['../../etc/passwd', '', 'x', 'A'.repeat(23), `${'A'.repeat(21)}/`, 'A'.repeat(22)])(
    'I7: finds nothing by the id %j',
    async (id) => {
      expect(await open().find(id)).toBeUndefined();
    },
  );
}
