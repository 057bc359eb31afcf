import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createAssetId, createSerialQueue, PlatenError, type Logger, type PublishedAsset, type StoredAsset } from '@platen/kernel';
import { verifyBody } from '@platen/lib-spool';
import type { AssetStoreOptions, ServerAssetStore } from '@platen/server';
import { S3Error, type S3Client } from './client.js';
import { putObject, removeObject, sizeOf } from './objects.js';
import { startSweeping, sweepAssets } from './sweep.js';
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
export function createAssetStore({ client, prefix, lifetimeSeconds, log }: S3AssetStoreOptions): ServerAssetStore {
  /** Stored by this server and not yet published. */
  const pending = new Set<string>();
  const turns = createSerialQueue();
  const keyOf = (id: string) => prefix + id;
  const recordKeyOf = (id: string) => `${prefix}${id}.json`;
  const toStored = (stored: Omit<StoredAsset, 'open'>): StoredAsset => ({
    ...stored,
    open: (range) => openLater(() => openBytes(client, keyOf(stored.id), { stored, range })),
  });
  const toPublished = ({ fileName, publishedAt, expiresAt, ...stored }: AssetRecord): PublishedAsset => ({
    asset: toStored(stored),
    fileName,
    publishedAt: new Date(publishedAt),
    expiresAt: new Date(expiresAt),
  });
  const read = async (id: string): Promise<AssetRecord | undefined> => {
    const { status, body } = await client.send({ method: 'GET', key: recordKeyOf(id) });
    return status === 404 ? undefined : parseRecord(body, id);
  };
  const write = async (record: AssetRecord): Promise<PublishedAsset> => {
    await putObject(client, recordKeyOf(record.id), Buffer.from(JSON.stringify(record)));
    return toPublished(record);
  };
  /** Whether the bytes are there as they were published. */
  const isWhole = async ({ id, bytes }: Pick<StoredAsset, 'id' | 'bytes'>) => (await sizeOf(client, keyOf(id))) === bytes;
  const publish = async ({ open: _open, ...stored }: StoredAsset, fileName: string): Promise<PublishedAsset> => {
    const isNew = pending.delete(stored.id);
    const before = isNew ? undefined : await read(stored.id);
    const now = Date.now();
    const expiresAt = now + lifetimeSeconds * 1000;
    if ((!isNew && !(await isWhole(stored))) || (before !== undefined && before.expiresAt <= now)) {
      throw new PlatenError('gone', `the asset "${stored.name}" no longer exists`);
    }
    if (before === undefined) return await write({ ...stored, fileName, publishedAt: now, expiresAt });
    return await write({ ...before, fileName, expiresAt: Math.max(before.expiresAt, expiresAt) }).catch((error: unknown) => {
      log.warn({ err: error }, 'the lifetime of an additional asset could not be extended');
      return toPublished(before);
    });
  };
  const discard = async (id: string): Promise<void> => {
    if (pending.delete(id) || (await read(id)) === undefined) await removeObject(client, keyOf(id));
  };
  const sweeping = startSweeping((signal) => sweepAssets(client, { prefix, lifetimeSeconds, signal }), log);
  return {
    put: (head, body, signal) =>
      explain(async () => {
        signal.throwIfAborted();
        const id = createAssetId();
        const uploaded = await upload(client, keyOf(id), { source: body, signal });
        pending.add(id);
        return toStored({ ...head, id, ...uploaded });
      }),
    publish: (assets, nameOf) =>
      explain(async () => {
        const published: PublishedAsset[] = [];
        for (const asset of assets) published.push(await turns.take(asset.id, () => publish(asset, nameOf(asset))));
        return published;
      }),
    async discard(assets) {
      for (const { id } of assets) {
        await turns.take(id, () => discard(id)).catch((error: unknown) => {
          log.warn({ err: error }, 'an additional asset could not be discarded; it is removed when the bucket is swept');
        });
      }
    },
    find: (id) =>
      explain(async () => {
        if (!ASSET_ID.test(id)) return undefined;
        const record = await read(id);
        if (record === undefined) return undefined;
        return record.expiresAt > Date.now() && (await isWhole(record)) ? toPublished(record) : 'expired';
      }),
    sweep: () => sweeping.begin(),
    close: () => sweeping.end(),
  };
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
