import type { Readable } from 'node:stream';
import type { Asset } from '../output.js';

/** An asset without its bytes. */
export type AssetHead = Omit<Asset, 'body'>;

/** An asset that lies in a store, whole. */
export interface StoredAsset extends AssetHead {
  /** 128 random bits, base64url. */
  readonly id: string;
  readonly bytes: number;
  /** Of the bytes, hex. */
  readonly sha256: string;
  /** The bytes, or those from `start` to `end`, both included: before and after it is published. */
  open(range?: { readonly start: number; readonly end: number }): Readable;
}

/** An asset that clients may fetch until it expires. */
export interface PublishedAsset {
  readonly asset: StoredAsset;
  /** What it is called where it is saved. */
  readonly fileName: string;
  readonly publishedAt: Date;
  readonly expiresAt: Date;
}

/** Where additional assets lie between the render that made them and the client that fetches them. */
export interface AssetStore {
  /** Takes the bytes in and hashes them. Nobody finds the asset before it is published; where this rejects, nothing of it is left. */
  put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset>;
  /**
   * Starts the lifetime of a render's assets. Publishing one that is published already renews its lifetime: answers may share a
   * render, also at the same time, and a cached answer names its assets again. The first date of publication stays.
   * Rejects with `gone` where an asset has expired or was discarded; those before it in the list are published then.
   */
  publish(assets: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string): Promise<readonly PublishedAsset[]>;
  /** Forgets assets that nobody is going to fetch. What is published stays: another answer may have named it. */
  discard(assets: readonly StoredAsset[]): Promise<void>;
  /** An asset that is found can be published again. */
  find(id: string): Promise<PublishedAsset | 'expired' | undefined>;
}
