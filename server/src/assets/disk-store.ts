import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
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
import { createTurns } from './turns.js';

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
  /** Several answers may publish one asset at the same time, while it is due. */
  readonly #turns = createTurns();
  #folder: Promise<string> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskStoreOptions) {
    this.#options = options;
  }

  async put(head: AssetHead, body: Buffer | Readable, signal: AbortSignal): Promise<StoredAsset> {
    // It may fail before it is read; the reading says so.
    if (body instanceof Readable) body.on('error', () => undefined);
    const id = createAssetId();
    const root = await this.#open();
    const part = toPartName(root, id);
    try {
      const { bytes, sha256 } = await writeHashed(part, body, { signal, maxBytes: this.#options.maxBytes });
      this.#pending.set(id, bytes);
      await this.#makeRoom();
      const path = join(root, id);
      return toStored({ ...head, id, bytes, sha256 }, () => (this.#pending.has(id) ? part : path));
    } catch (error) {
      this.#pending.delete(id);
      await rm(part, { force: true });
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
    for (const { id } of assets) this.#pending.delete(id);
    await Promise.all(assets.map(({ id }) => rm(toPartName(root, id), { force: true })));
  }

  async find(id: string): Promise<PublishedAsset | 'expired' | undefined> {
    if (!ASSET_ID.test(id) || !this.#isThere()) return undefined;
    const path = join(await this.#open(), id);
    const record = await this.#read(id, path);
    if (record === undefined) return undefined;
    return (await isWhole(path, record)) ? toPublished(record, path) : 'expired';
  }

  /** Removes what is due, and what a server that was killed left behind. */
  async sweep(): Promise<void> {
    this.#timer = undefined;
    if (!this.#isThere()) return;
    const { records, orphans } = await findLeftovers(await this.#open());
    await Promise.all(orphans.map((path) => rm(path, { force: true })));
    const now = Date.now();
    for (const path of records) await this.#turns.take(basename(path, extname(path)), () => this.#sweepRecord(path, now));
    const due = [...this.#published.values()].map(({ expiresAt }) => expiresAt);
    if (due.length > 0) this.#sweepAt(Math.min(...due));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #publish({ open: _open, ...stored }: StoredAsset, fileName: string): Promise<PublishedAsset> {
    const path = join(await this.#open(), stored.id);
    const now = Date.now();
    const isNew = this.#pending.has(stored.id);
    const before = isNew ? undefined : await this.#read(stored.id, path);
    if (isNew) await rename(toPartName(dirname(path), stored.id), path);
    else if (before === undefined || !(await isWhole(path, before))) throw new PlatenError('gone', `the asset "${stored.name}" is gone`);
    const expiresAt = Math.max(now + this.#options.lifetimeSeconds * 1000, before?.expiresAt ?? 0);
    const record: AssetRecord = { ...stored, fileName, publishedAt: before?.publishedAt ?? now, expiresAt };
    this.#pending.delete(record.id);
    await writeWhole(toRecordName(path), JSON.stringify(record));
    // The oldest is first: a renewed one is among the youngest.
    this.#published.delete(record.id);
    this.#published.set(record.id, record);
    return toPublished(record, path);
  }

  /** What is known of a published asset. Another server may have renewed it in the folder that both use. */
  async #read(id: string, path: string): Promise<AssetRecord | undefined> {
    const known = this.#published.get(id);
    return known !== undefined && known.expiresAt > Date.now() ? known : await readRecord(toRecordName(path));
  }

  async #sweepRecord(path: string, now: number): Promise<void> {
    const record = await readRecord(path);
    if (record === undefined || record.expiresAt + REMEMBERED_MS <= now) await rm(path, { force: true });
    if (record === undefined) return;
    if (record.expiresAt <= now) await this.#removeBytes(record);
    else this.#published.set(record.id, record);
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
      await this.#turns.take(record.id, () => this.#end(record));
    }
  }

  /** Ends an asset before its time. */
  async #end(record: AssetRecord): Promise<void> {
    await this.#removeBytes(record);
    const expired = { ...record, expiresAt: Math.min(record.expiresAt, Date.now()) };
    await writeWhole(toRecordName(join(await this.#open(), record.id)), JSON.stringify(expired));
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

/** Not expired, and of the size that was published. */
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
