import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { addAbortSignal, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredAsset } from '@platen/kernel';

/** Metadata stored beside an asset's bytes; times in milliseconds since 1970. */
export type AssetRecord = Omit<StoredAsset, 'open'> & {
  readonly fileName: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
};

/** Larger than any metadata file; the block size of most disks. */
const RECORD_BYTES = 4096;

/**
 * Reserves the space of a metadata file. On a full disk this fails while the render can still report it; publishing then needs no more
 * space.
 */
export async function reserveRecord(part: string): Promise<void> {
  await writeFile(part, Buffer.alloc(RECORD_BYTES, ' '), { mode: 0o600 });
}

/** Writes into the reserved space: the file appears complete or not at all. */
export async function writeReserved(part: string, path: string, record: AssetRecord): Promise<void> {
  const file = await open(part, 'r+');
  try {
    await file.write(JSON.stringify(record), 0);
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** The file appears complete or not at all. */
export async function writeRecord(part: string, path: string, record: AssetRecord): Promise<void> {
  await reserveRecord(part);
  await writeReserved(part, path, record);
}

export async function readRecord(path: string): Promise<AssetRecord | undefined> {
  try {
    // Written by this module, complete.
    return JSON.parse(await readFile(path, 'utf8')) as AssetRecord;
  } catch {
    return undefined;
  }
}

interface WriteOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far before the next ones are written; rejects if there is no room for them. */
  take(bytes: number): Promise<void>;
}

/**
 * Writes a new file. Rejects with the error of `take`, of the source or of the disk, or with the signal's reason; the bytes already written
 * remain.
 */
export async function writeHashed(
  path: string,
  body: Buffer | Readable,
  { signal, take }: WriteOptions,
): Promise<Pick<StoredAsset, 'bytes' | 'sha256'>> {
  signal.throwIfAborted();
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      take(bytes).then(() => done(null, chunk), done);
    },
  });
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : addAbortSignal(signal, body);
  await pipeline(source, measure, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { bytes, sha256: hash.digest('hex') };
}

export async function removeFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/** The size of each asset in bytes, also while it is being written. */
interface AssetSizeIndex {
  readonly total: number;
  set(id: string, bytes: number): void;
  delete(id: string): void;
}

export function createAssetSizeIndex(): AssetSizeIndex {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    set(id, bytes) {
      total += bytes - (taken.get(id) ?? 0);
      taken.set(id, bytes);
    },
    delete(id) {
      total -= taken.get(id) ?? 0;
      taken.delete(id);
    },
  };
}
