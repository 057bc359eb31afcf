import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type AssetHead,
  type AssetStore,
  createAssetId,
  type Logger,
  PlatenError,
  type PublishedAsset,
  type StoredAsset,
} from '@platen/kernel';
import { findLeftovers, openFirstFolder, toPartName, toRecordName } from './asset-folder.js';

export interface DiskStoreOptions {
  /** In order of preference; the first that can be made, for this user alone, is used. Several servers may share one. */
  readonly folders: readonly string[];
  readonly lifetimeSeconds: number;
  /** Bytes of all assets together; past it, the oldest end before their time. */
  readonly maxBytes: number;
  readonly log: Logger;
}

/** How long a link that has expired is still known as such. */
const REMEMBERED_MS = 24 * 3600 * 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const ASSET_ID = /^[\w-]{22}$/;

/** What the file beside an asset's bytes says; times in milliseconds since 1970. */
type AssetRecord = Omit<StoredAsset, 'open'> & { readonly fileName: string; readonly publishedAt: number; readonly expiresAt: number };

/**
 * Assets as files: `ID` with the bytes and `ID.json` with what is known of them, which is written last, whole, so that a file whose
 * writing was cut off is never found. An unpublished asset is `ID.PID.part`.
 */
export class DiskStore implements AssetStore {
  readonly #options: DiskStoreOptions;
  readonly #published = new Map<string, AssetRecord>();
  /** Bytes of what was put and not yet published, by id. */
  readonly #pending = new Map<string, number>();
  #folder: Promise<string> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskStoreOptions) {
    this.#options = options;
  }

  async put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset> {
    // It may fail before it is read; the reading says so.
    if (body instanceof Readable) body.on('error', () => undefined);
    const id = createAssetId();
    const part = toPartName(await this.#open(), id);
    try {
      const { bytes, sha256 } = await writeHashed(part, body, { signal, maxBytes: this.#options.maxBytes });
      this.#pending.set(id, bytes);
      await this.#makeRoom();
      return toStored({ ...head, id, bytes, sha256 }, part);
    } catch (error) {
      this.#pending.delete(id);
      await rm(part, { force: true });
      throw error;
    }
  }

  async publish(assets: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string): Promise<readonly PublishedAsset[]> {
    const root = await this.#open();
    const publishedAt = Date.now();
    const expiresAt = publishedAt + this.#options.lifetimeSeconds * 1000;
    const published: PublishedAsset[] = [];
    for (const asset of assets) {
      const { open: _open, ...stored } = asset;
      const record: AssetRecord = { ...stored, fileName: nameOf(asset), publishedAt, expiresAt };
      const path = join(root, record.id);
      await rename(toPartName(root, record.id), path);
      await writeWhole(toRecordName(path), JSON.stringify(record));
      this.#published.set(record.id, record);
      this.#pending.delete(record.id);
      published.push(toPublished(record, path));
    }
    if (published.length > 0 && this.#timer === undefined) this.#sweepAt(expiresAt);
    return published;
  }

  async discard(assets: readonly StoredAsset[]): Promise<void> {
    const root = await this.#open();
    for (const { id } of assets) this.#pending.delete(id);
    await Promise.all(assets.map(({ id }) => rm(toPartName(root, id), { force: true })));
  }

  async find(id: string): Promise<PublishedAsset | 'expired' | undefined> {
    if (!ASSET_ID.test(id) || !this.#isThere()) return undefined;
    const path = join(await this.#open(), id);
    const record = this.#published.get(id) ?? (await readRecord(toRecordName(path)));
    if (record === undefined) return undefined;
    if (record.expiresAt <= Date.now()) return 'expired';
    const found = await stat(path).catch(() => undefined);
    return found?.size === record.bytes ? toPublished(record, path) : 'expired';
  }

  /** Removes what is due, and what a server that was killed left behind. */
  async sweep(): Promise<void> {
    this.#timer = undefined;
    if (!this.#isThere()) return;
    const { records, orphans } = await findLeftovers(await this.#open());
    await Promise.all(orphans.map((path) => rm(path, { force: true })));
    const now = Date.now();
    for (const path of records) {
      const record = await readRecord(path);
      if (record === undefined || record.expiresAt + REMEMBERED_MS <= now) await rm(path, { force: true });
      if (record === undefined) continue;
      if (record.expiresAt <= now) await this.#removeBytes(record);
      else this.#published.set(record.id, record);
    }
    const due = [...this.#published.values()].map(({ expiresAt }) => expiresAt);
    if (due.length > 0) this.#sweepAt(Math.min(...due));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #open(): Promise<string> {
    return (this.#folder ??= openFirstFolder(this.#options.folders).catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    }));
  }

  /** A server that was never asked for an asset makes no folder for them. */
  #isThere(): boolean {
    return this.#folder !== undefined || this.#options.folders.some((folder) => existsSync(folder));
  }

  async #makeRoom(): Promise<void> {
    let total = sum(this.#pending.values()) + sum([...this.#published.values()].map(({ bytes }) => bytes));
    for (const record of this.#published.values()) {
      if (total <= this.#options.maxBytes) return;
      total -= record.bytes;
      await this.#removeBytes(record);
      const expired = { ...record, expiresAt: Math.min(record.expiresAt, Date.now()) };
      await writeWhole(toRecordName(join(await this.#open(), record.id)), JSON.stringify(expired));
    }
  }

  async #removeBytes({ id }: AssetRecord): Promise<void> {
    this.#published.delete(id);
    await rm(join(await this.#open(), id), { force: true });
  }

  #sweepAt(moment: number): void {
    clearTimeout(this.#timer);
    const sweep = () => {
      this.sweep().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'additional assets could not be swept');
      });
    };
    this.#timer = setTimeout(sweep, Math.min(Math.max(moment - Date.now(), 0), LONGEST_TIMER_MS)).unref();
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

interface WriteOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

async function writeHashed(
  path: string,
  body: Buffer | Readable,
  { signal, maxBytes }: WriteOptions,
): Promise<Pick<StoredAsset, 'bytes' | 'sha256'>> {
  signal.throwIfAborted();
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(bytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : addAbortSignal(signal, body);
  await pipeline(source, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { bytes, sha256: hash.digest('hex') };
}

function tooLarge(maxBytes: number): PlatenError {
  return new PlatenError('payload_too_large', `it is larger than ${String(maxBytes)} bytes, which is all that is kept`);
}

/** The file appears whole or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.${String(process.pid)}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await rename(part, path);
}

async function readRecord(path: string): Promise<AssetRecord | undefined> {
  try {
    // Written by `publish`, whole.
    return JSON.parse(await readFile(path, 'utf8')) as AssetRecord;
  } catch {
    return undefined;
  }
}

function toStored(stored: AssetHead & Pick<StoredAsset, 'id' | 'bytes' | 'sha256'>, path: string): StoredAsset {
  return { ...stored, open: (range) => createReadStream(path, range) };
}

function toPublished(record: AssetRecord, path: string): PublishedAsset {
  const { fileName, publishedAt, expiresAt, ...stored } = record;
  return { asset: toStored(stored, path), fileName, publishedAt: new Date(publishedAt), expiresAt: new Date(expiresAt) };
}
