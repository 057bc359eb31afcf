import { createHash, randomBytes } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { PlatenError } from '../errors.js';
import type { AssetStore, PublishedAsset, StoredAsset } from './asset-store.js';

/** Stores assets in memory without expiry: for programs that render without a server, and for tests. */
export function createMemoryStore(): AssetStore {
  const pending = new Set<string>();
  const published = new Map<string, PublishedAsset>();
  const publish = (asset: StoredAsset, fileName: string): PublishedAsset => {
    const before = published.get(asset.id);
    if (before === undefined && !pending.delete(asset.id)) throw new PlatenError('gone', `the asset "${asset.name}" no longer exists`);
    const now: PublishedAsset = { asset, fileName, publishedAt: before?.publishedAt ?? new Date(), expiresAt: new Date(8.64e15) };
    published.set(asset.id, now);
    return now;
  };
  return {
    async put(head, body, signal) {
      signal.throwIfAborted();
      const bytes = Buffer.isBuffer(body) ? body : await buffer(addAbortSignal(signal, body));
      const id = createAssetId();
      pending.add(id);
      return {
        ...head,
        id,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
          Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
      };
    },
    publish: (assets, nameOf) =>
      new Promise((resolve) => {
        resolve(assets.map((asset) => publish(asset, nameOf(asset))));
      }),
    discard(assets: readonly StoredAsset[]) {
      for (const { id } of assets) pending.delete(id);
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(published.get(id)),
  };
}

/** 128 random bits, base64url. */
export function createAssetId(): string {
  return randomBytes(16).toString('base64url');
}
