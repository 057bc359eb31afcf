import { open, readFile, rename, writeFile } from 'node:fs/promises';
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
