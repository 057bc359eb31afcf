import { open, readFile, rename, writeFile } from 'node:fs/promises';
import type { StoredAsset } from '@platen/kernel';

/** Metadata stored beside an asset's bytes; times in milliseconds since 1970. */
export type AssetRecord = Omit<StoredAsset, 'open'> & {
  readonly fileName: string;
  readonly publishedAt: number;
  readonly expiresAt: number;
};

/** Longer than a record is; the block that a file takes on most disks. */
const RECORD_BYTES = 4096;

/** Takes the room of a record. On a full disk this fails, while the render can still say so; publishing then needs none. */
export async function reserveRecord(part: string): Promise<void> {
  await writeFile(part, Buffer.alloc(RECORD_BYTES, ' '), { mode: 0o600 });
}

/** Writes into the room that was taken: the file appears whole or not at all. */
export async function writeReserved(part: string, path: string, record: AssetRecord): Promise<void> {
  const file = await open(part, 'r+');
  try {
    await file.write(JSON.stringify(record), 0);
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** The file appears whole or not at all. */
export async function writeRecord(part: string, path: string, record: AssetRecord): Promise<void> {
  await reserveRecord(part);
  await writeReserved(part, path, record);
}

export async function readRecord(path: string): Promise<AssetRecord | undefined> {
  try {
    // Written by this module, whole.
    return JSON.parse(await readFile(path, 'utf8')) as AssetRecord;
  } catch {
    return undefined;
  }
}
