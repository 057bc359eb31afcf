import { createReadStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  partialPath,
  type AssetHead,
  createAssetId,
  createSerialQueue,
  LONGEST_TIMER_MS,
  type Logger,
  PlatenError,
  type PublishedAsset,
  type StoredAsset,
} from '@platen/kernel';
import { findLeftovers, openFirstFolder, toRecordName, toRecordPart } from '../service/asset-folder.js';
import type { ServerAssetStore } from '../service/stores.js';
import {
  type AssetRecord,
  createAssetSizeIndex,
  readRecord,
  removeFiles,
  reserveRecord,
  writeHashed,
  writeRecord,
  writeReserved,
} from './asset-files.js';

export interface DiskStoreOptions {
  /** In order of preference; the store uses the first folder that can be created, for this user only. Several servers may share one. */
  readonly folders: readonly string[];
  readonly lifetimeSeconds: number;
  /** Maximum bytes of all assets together, including assets that are being written; the oldest expire early if it is exceeded. */
  readonly maxBytes: number;
  readonly log: Logger;
}

/** How long an expired link is still recognized as expired. */
const REMEMBERED_MS = 24 * 3600 * 1000;
const ASSET_ID = /^[\w-]{22}$/;

type NamedAsset = Omit<StoredAsset, 'open'> & Pick<PublishedAsset, 'fileName'>;

/**
 * Stores assets as files: `ID` has the bytes and `ID.json` the metadata. The metadata file appears last and complete, so that a partially
 * written asset is never found. An unpublished asset is `ID.WRITER.part`; the store reserves room for its metadata.
 */
export class DiskStore implements ServerAssetStore {
  readonly #options: DiskStoreOptions;
  readonly #published = new Map<string, AssetRecord>();
  /** Assets that are stored but not yet published. */
  readonly #pending = new Set<string>();
  readonly #sizes = createAssetSizeIndex();
  /** Several responses may publish one asset concurrently, while it is due to be removed. */
  readonly #turns = createSerialQueue();
  #folder: Promise<string> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskStoreOptions) {
    this.#options = options;
  }

  async put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset> {
    // The promise may reject before it is awaited; the code that awaits it reports the error.
    if (body instanceof Readable) body.on('error', () => undefined);
    const id = createAssetId();
    const root = await this.#open();
    const part = partialPath(join(root, id));
    try {
      const { bytes, sha256 } = await writeHashed(part, body, { signal, take: (taken) => this.#take(id, taken) });
      await reserveRecord(toRecordPart(join(root, id)));
      this.#pending.add(id);
      const path = join(root, id);
      return toStored({ ...head, id, bytes, sha256 }, () => (this.#pending.has(id) ? part : path));
    } catch (error) {
      this.#sizes.delete(id);
      await removeFiles([part, toRecordPart(join(root, id))]);
      throw error;
    }
  }

  async publish(assets: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string): Promise<readonly PublishedAsset[]> {
    const published: PublishedAsset[] = [];
    for (const asset of assets) published.push(await this.#turns.take(asset.id, () => this.#publish(asset, nameOf(asset))));
    const [first] = published;
    if (first !== undefined && this.#timer === undefined) this.#sweepAt(first.expiresAt.getTime());
    return published;
  }

  async discard(assets: readonly StoredAsset[]): Promise<void> {
    const root = await this.#open();
    const unpublished = assets.filter(({ id }) => this.#pending.delete(id));
    await removeFiles(unpublished.flatMap(({ id }) => [partialPath(join(root, id)), toRecordPart(join(root, id))]));
    for (const { id } of unpublished) this.#sizes.delete(id);
  }

  async find(id: string): Promise<PublishedAsset | 'expired' | undefined> {
    if (!ASSET_ID.test(id) || !this.#isThere()) return undefined;
    const path = join(await this.#open(), id);
    const record = await this.#read(id, path);
    if (record === undefined) return undefined;
    return (await isWhole(path, record)) ? toPublished(record, path) : 'expired';
  }

  /** Removes expired assets, and partial files of servers that were killed. */
  async sweep(): Promise<void> {
    this.#timer = undefined;
    if (!this.#isThere()) return;
    const { records, orphans } = await findLeftovers(await this.#open());
    await removeFiles(orphans);
    const now = Date.now();
    for (const path of records) await this.#turns.take(basename(path, extname(path)), () => this.#sweepRecord(path, now));
    const due = [...this.#published.values()].map(({ expiresAt }) => expiresAt);
    if (due.length > 0) this.#sweepAt(Math.min(...due));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #publish(asset: StoredAsset, fileName: string): Promise<PublishedAsset> {
    const { open: _open, ...stored } = asset;
    const path = join(await this.#open(), stored.id);
    const record = this.#pending.has(stored.id)
      ? await this.#publishNew(path, { ...stored, fileName })
      : await this.#renew(path, { ...stored, fileName });
    // The oldest is first: an asset whose lifetime was extended is among the youngest.
    this.#published.delete(record.id);
    this.#keep(record);
    return toPublished(record, path);
  }

  async #publishNew(path: string, asset: NamedAsset): Promise<AssetRecord> {
    const publishedAt = Date.now();
    const record: AssetRecord = { ...asset, publishedAt, expiresAt: this.#expiryFrom(publishedAt) };
    try {
      await rename(partialPath(join(dirname(path), asset.id)), path);
      await writeReserved(toRecordPart(path), toRecordName(path), record);
    } catch (error) {
      await removeFiles([path, toRecordPart(path)]);
      this.#sizes.delete(asset.id);
      throw error;
    } finally {
      this.#pending.delete(asset.id);
    }
    return record;
  }

  async #renew(path: string, asset: NamedAsset): Promise<AssetRecord> {
    const before = await this.#read(asset.id, path);
    if (before === undefined || !(await isWhole(path, before))) throw new PlatenError('gone', `the asset "${asset.name}" no longer exists`);
    const renewed: AssetRecord = {
      ...before,
      fileName: asset.fileName,
      expiresAt: Math.max(this.#expiryFrom(Date.now()), before.expiresAt),
    };
    try {
      await writeRecord(toRecordPart(path), toRecordName(path), renewed);
      return renewed;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the lifetime of an additional asset could not be extended');
      return before;
    }
  }

  #expiryFrom(moment: number): number {
    return moment + this.#options.lifetimeSeconds * 1000;
  }

  /** Metadata of a published asset. Another server that uses the same folder may have extended its lifetime. */
  async #read(id: string, path: string): Promise<AssetRecord | undefined> {
    const known = this.#published.get(id);
    return known !== undefined && known.expiresAt > Date.now() ? known : await readRecord(toRecordName(path));
  }

  async #sweepRecord(path: string, now: number): Promise<void> {
    const record = await readRecord(path);
    if (record === undefined || record.expiresAt + REMEMBERED_MS <= now) await rm(path, { force: true });
    if (record === undefined) return;
    if (record.expiresAt <= now) await this.#removeBytes(record);
    else this.#keep(record);
  }

  #open(): Promise<string> {
    return (this.#folder ??= openFirstFolder(this.#options.folders).catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    }));
  }

  /** The folder is created with the first asset: a server that never stores one creates none. */
  #isThere(): boolean {
    return this.#folder !== undefined || this.#options.folders.some((folder) => existsSync(folder));
  }

  #keep(record: AssetRecord): void {
    this.#published.set(record.id, record);
    this.#sizes.set(record.id, record.bytes);
  }

  /** Reserves bytes for an asset that is being written; rejects with `payload_too_large` if there is no room. */
  async #take(id: string, bytes: number): Promise<void> {
    this.#sizes.set(id, bytes);
    if (this.#isFull()) await this.#turns.take('room', () => this.#makeRoom());
    if (!this.#isFull()) return;
    // Immediately: another asset that is being written may need this room.
    this.#sizes.delete(id);
    throw noRoom(bytes, this.#options.maxBytes);
  }

  #isFull(): boolean {
    return this.#sizes.total > this.#options.maxBytes;
  }

  async #makeRoom(): Promise<void> {
    const published = [...this.#published.values()];
    const removable = published.reduce((sum, { bytes }) => sum + bytes, 0);
    // Even removing all of them would not make enough room.
    if (this.#sizes.total - removable > this.#options.maxBytes) return;
    for (const record of published) {
      if (!this.#isFull()) return;
      await this.#turns.take(record.id, () => this.#end(record));
    }
  }

  /** Removes an asset before it expires. */
  async #end(record: AssetRecord): Promise<void> {
    await this.#removeBytes(record);
    const path = join(await this.#open(), record.id);
    await writeRecord(toRecordPart(path), toRecordName(path), { ...record, expiresAt: Math.min(record.expiresAt, Date.now()) });
  }

  async #removeBytes({ id }: AssetRecord): Promise<void> {
    this.#published.delete(id);
    await rm(join(await this.#open(), id), { force: true });
    this.#sizes.delete(id);
  }

  #sweepAt(moment: number): void {
    clearTimeout(this.#timer);
    const sweep = () => {
      this.sweep().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'expired additional assets could not be deleted');
      });
    };
    this.#timer = setTimeout(sweep, Math.min(Math.max(moment - Date.now(), 0), LONGEST_TIMER_MS)).unref();
  }
}

function noRoom(bytes: number, maxBytes: number): PlatenError {
  const why = bytes > maxBytes ? 'the asset is larger' : 'this asset and others that are being written are larger';
  return new PlatenError('payload_too_large', `${why} than ${String(maxBytes)} bytes, the limit of the asset store`);
}

/** Not expired, and of its published size. */
async function isWhole(path: string, { expiresAt, bytes }: AssetRecord): Promise<boolean> {
  if (expiresAt <= Date.now()) return false;
  const found = await stat(path).catch(() => undefined);
  return found?.size === bytes;
}

function toStored(stored: Omit<StoredAsset, 'open'>, pathOf: () => string): StoredAsset {
  return { ...stored, open: (range) => createReadStream(pathOf(), range) };
}

function toPublished(record: AssetRecord, path: string): PublishedAsset {
  const { fileName, publishedAt, expiresAt, ...stored } = record;
  return { asset: toStored(stored, () => path), fileName, publishedAt: new Date(publishedAt), expiresAt: new Date(expiresAt) };
}
