import { createHash, randomBytes } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AssetStore, PublishedAsset, StoredAsset } from './asset-store.js';

/** Keeps assets in memory for good: for programs that render without a server, and for tests. */
export function createMemoryStore(): AssetStore {
  const published = new Map<string, PublishedAsset>();
  return {
    async put(head, body, signal) {
      signal.throwIfAborted();
      const bytes = Buffer.isBuffer(body) ? body : await buffer(addAbortSignal(signal, body));
      return {
        ...head,
        id: createAssetId(),
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
          Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
      };
    },
    publish(assets, nameOf) {
      const publishedAt = new Date();
      const now = assets.map((asset): PublishedAsset => ({ asset, fileName: nameOf(asset), publishedAt, expiresAt: new Date(8.64e15) }));
      for (const one of now) published.set(one.asset.id, one);
      return Promise.resolve(now);
    },
    discard(assets: readonly StoredAsset[]) {
      for (const { id } of assets) published.delete(id);
      return Promise.resolve();
    },
    find: (id) => Promise.resolve(published.get(id)),
  };
}

/** 128 random bits, base64url. */
export function createAssetId(): string {
  return randomBytes(16).toString('base64url');
}
