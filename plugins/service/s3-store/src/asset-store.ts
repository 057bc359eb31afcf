import { PassThrough, pipeline, type Readable } from 'node:stream';
import {
  type AssetHead,
  createAssetId,
  createSerialQueue,
  type Logger,
  PlatenError,
  type PublishedAsset,
  type StoredAsset,
} from '@platen/kernel';
import { verifyBody } from '@platen/lib-spool';
import type { AssetStoreOptions, ServerAssetStore } from '@platen/server';
import { S3Error, type S3Client } from './client.js';
import { putObject, removeObject, sizeOf } from './objects.js';
import { startSweeping, sweepAssets, type Sweeping } from './sweep.js';
import { upload } from './upload.js';

export interface S3AssetStoreOptions extends AssetStoreOptions {
  readonly client: S3Client;
  /** Start of the keys. */
  readonly prefix: string;
  readonly log: Logger;
}

/** The object `ID.json`; times in milliseconds since 1970. */
type AssetRecord = Omit<StoredAsset, 'open'> & {
  readonly fileName: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
};

const ASSET_ID = /^[\w-]{22}$/;

/**
 * Stores assets as objects: `ID` has the bytes, from `put` on, and `ID.json` the metadata, which makes the asset visible. So another server
 * can publish an asset, too.
 */
export class S3AssetStore implements ServerAssetStore {
  readonly #options: S3AssetStoreOptions;
  /** Stored by this server and not yet published. */
  readonly #pending = new Set<string>();
  readonly #turns = createSerialQueue();
  readonly #sweeping: Sweeping;

  constructor(options: S3AssetStoreOptions) {
    this.#options = options;
    this.#sweeping = startSweeping((signal) => sweepAssets(options.client, { ...options, signal }), options.log);
  }

  put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset> {
    return explain(async () => {
      signal.throwIfAborted();
      const id = createAssetId();
      const uploaded = await upload(this.#options.client, this.#keyOf(id), { source: body, signal });
      this.#pending.add(id);
      return this.#toStored({ ...head, id, ...uploaded });
    });
  }

  publish(assets: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string): Promise<readonly PublishedAsset[]> {
    return explain(async () => {
      const published: PublishedAsset[] = [];
      for (const asset of assets) published.push(await this.#turns.take(asset.id, () => this.#publish(asset, nameOf(asset))));
      return published;
    });
  }

  async discard(assets: readonly StoredAsset[]): Promise<void> {
    for (const { id } of assets) {
      await this.#turns
        .take(id, () => this.#discard(id))
        .catch((error: unknown) => {
          this.#options.log.warn({ err: error }, 'an additional asset could not be discarded; it is removed when the bucket is swept');
        });
    }
  }

  find(id: string): Promise<PublishedAsset | 'expired' | undefined> {
    return explain(async () => {
      const record = ASSET_ID.test(id) ? await this.#read(id) : undefined;
      if (record === undefined) return undefined;
      return record.expiresAt > Date.now() && (await this.#isWhole(record)) ? this.#toPublished(record) : 'expired';
    });
  }

  sweep(): Promise<void> {
    return this.#sweeping.begin();
  }

  close(): Promise<void> {
    return this.#sweeping.end();
  }

  async #publish({ open: _open, ...stored }: StoredAsset, fileName: string): Promise<PublishedAsset> {
    const isNew = this.#pending.delete(stored.id);
    const before = isNew ? undefined : await this.#read(stored.id);
    const now = Date.now();
    const expiresAt = now + this.#options.lifetimeSeconds * 1000;
    if ((!isNew && !(await this.#isWhole(stored))) || (before !== undefined && before.expiresAt <= now)) {
      throw new PlatenError('gone', `the asset "${stored.name}" no longer exists`);
    }
    if (before === undefined) return await this.#write({ ...stored, fileName, publishedAt: now, expiresAt });
    return await this.#write({ ...before, fileName, expiresAt: Math.max(before.expiresAt, expiresAt) }).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'the lifetime of an additional asset could not be extended');
      return this.#toPublished(before);
    });
  }

  async #discard(id: string): Promise<void> {
    if (this.#pending.delete(id) || (await this.#read(id)) === undefined) await removeObject(this.#options.client, this.#keyOf(id));
  }

  async #read(id: string): Promise<AssetRecord | undefined> {
    const { status, body } = await this.#options.client.send({ method: 'GET', key: `${this.#keyOf(id)}.json` });
    return status === 404 ? undefined : parseRecord(body, id);
  }

  async #write(record: AssetRecord): Promise<PublishedAsset> {
    await putObject(this.#options.client, `${this.#keyOf(record.id)}.json`, { body: Buffer.from(JSON.stringify(record)) });
    return this.#toPublished(record);
  }

  /** Whether the bytes are there as they were stored. */
  async #isWhole({ id, bytes }: Pick<StoredAsset, 'id' | 'bytes'>): Promise<boolean> {
    return (await sizeOf(this.#options.client, this.#keyOf(id))) === bytes;
  }

  #keyOf(id: string): string {
    return this.#options.prefix + id;
  }

  #toStored(stored: Omit<StoredAsset, 'open'>): StoredAsset {
    return { ...stored, open: (range) => openLater(() => openBytes(this.#options.client, this.#keyOf(stored.id), { stored, range })) };
  }

  #toPublished({ fileName, publishedAt, expiresAt, ...stored }: AssetRecord): PublishedAsset {
    return { asset: this.#toStored(stored), fileName, publishedAt: new Date(publishedAt), expiresAt: new Date(expiresAt) };
  }
}

/** Clients read that the store failed; how it failed is for the log. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof S3Error ? new PlatenError('overloaded', 'the asset store is unavailable', { cause: error }) : error;
  }
}

function parseRecord(body: Buffer, id: string): AssetRecord | undefined {
  try {
    // Written by this module, complete.
    const record = JSON.parse(body.toString()) as AssetRecord;
    return record.id === id ? record : undefined;
  } catch {
    return undefined;
  }
}

interface Wanted {
  readonly stored: Pick<StoredAsset, 'bytes' | 'sha256'>;
  readonly range: { readonly start: number; readonly end: number } | undefined;
}

/** The bytes are verified if all of them are read. */
async function openBytes(client: S3Client, key: string, { stored, range }: Wanted): Promise<Readable> {
  const found = await client.open(key, { range });
  if (found === undefined) throw new S3Error('the bytes of an additional asset no longer exist');
  if (range === undefined) return verifyBody(found.body, stored);
  if (found.bytes === range.end - range.start + 1) return found.body;
  found.body.destroy();
  throw new S3Error('the bytes of an additional asset have another length than was published');
}

function openLater(open: () => Promise<Readable>): Readable {
  const stream = new PassThrough();
  open().then(
    (body) => pipeline(body, stream, () => undefined),
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return stream;
}
