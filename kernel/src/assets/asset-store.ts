import type { Readable } from 'node:stream';
import type { Asset, MadeFile } from '../output.js';

/** An asset without its bytes. */
export type AssetHead = Omit<Asset, 'body'>;

/** A complete asset in a store. */
export interface StoredAsset extends AssetHead, MadeFile {
  /** 128 random bits, base64url. */
  readonly id: string;
  /** The bytes, or those from `start` to `end`, both included: before and after it is published. */
  open(range?: { readonly start: number; readonly end: number }): Readable;
}

/** An asset that clients may fetch until it expires. */
export interface PublishedAsset {
  readonly asset: StoredAsset;
  /** File name under which clients save it. */
  readonly fileName: string;
  readonly publishedAt: Date;
  readonly expiresAt: Date;
}

/** Stores additional assets between the render that made them and the client that fetches them. */
export interface AssetStore {
  /** Stores and hashes the bytes. The asset cannot be fetched before it is published. If this rejects, nothing of the asset remains. */
  put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset>;
  /**
   * Starts the lifetime of a render's assets. Publishing an asset again renews its lifetime, since responses may share a render (also
   * concurrently) and a cached response refers to its assets again. The first publication date stays. Rejects with `gone` if an asset has
   * expired or was discarded; the assets before it in the list are published anyway.
   */
  publish(assets: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string): Promise<readonly PublishedAsset[]>;
  /** Discards assets that no client will fetch. Published assets stay: another response may refer to them. */
  discard(assets: readonly StoredAsset[]): Promise<void>;
  /** An asset that is found can be published again. */
  find(id: string): Promise<PublishedAsset | 'expired' | undefined>;
}

/** A requested asset that failed, with a reason written for the client. */
export interface MissingAsset {
  readonly name: string;
  readonly reason: string;
}

/** The assets of a render and their state. */
export interface CollectedAssets {
  readonly kept: readonly StoredAsset[];
  readonly missing: readonly MissingAsset[];
}

export const NO_ASSETS: CollectedAssets = Object.freeze({ kept: [], missing: [] });
