import { createHash } from 'node:crypto';

/** What is known of a kept result besides its bytes. */
export interface EntryRecord {
  /** The name of its file. */
  readonly key: string;
  /** Of the body. */
  readonly bytes: number;
  /** Of the body, hex. */
  readonly sha256: string;
  readonly contentType: string;
  readonly extension: string;
  readonly filename?: string;
  /** Those that the render gave. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ids of its additional assets. */
  readonly assets: readonly string[];
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** The last bytes of a whole entry, with the form's version. */
const MAGIC = Buffer.from('platen1\n');
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
const FOOTER_BYTES = DIGEST_BYTES + LENGTH_BYTES + MAGIC.length;
/** As a rule holds the whole trailer. */
const FIRST_READ_BYTES = 4 * 1024;

/**
 * An entry's file is the body, the record as JSON, the record's SHA-256, its length (32 bits, big-endian) and the magic: the record
 * comes last, since the body's digest is only known then, and one file is one rename and one removal.
 */
export function encodeTrailer(record: EntryRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, createHash('sha256').update(json).digest(), length, MAGIC]);
}

/** Bytes of the entry's file. */
export function sizeOfEntry(record: EntryRecord): number {
  return record.bytes + encodeTrailer(record).length;
}

/** The record of an entry of that key and size; undefined where the file is none, or not as it was written. */
export async function readRecord(handle: Pick<BodyHandle, 'read'>, size: number, key: string): Promise<EntryRecord | undefined> {
  const last = await readAt(handle, Math.max(0, size - FIRST_READ_BYTES), Math.min(size, FIRST_READ_BYTES));
  if (last.length < FOOTER_BYTES || !last.subarray(-MAGIC.length).equals(MAGIC)) return undefined;
  const length = last.readUInt32BE(last.length - MAGIC.length - LENGTH_BYTES);
  const total = length + FOOTER_BYTES;
  if (total > size) return undefined;
  const trailer = total <= last.length ? last.subarray(-total) : await readAt(handle, size - total, total);
  const json = trailer.subarray(0, length);
  const digest = trailer.subarray(length, length + DIGEST_BYTES);
  if (!createHash('sha256').update(json).digest().equals(digest)) return undefined;
  // Its digest says that it is what `encodeTrailer` was given.
  const record = JSON.parse(json.toString()) as EntryRecord;
  return record.key === key && record.bytes + total === size ? record : undefined;
}

/** What is needed of an open file to write a body and to read it. */
export interface BodyHandle {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  write(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesWritten: number }>;
  close(): Promise<void>;
}

/** Fewer bytes than asked for where the file ends before. */
export async function readAt(handle: Pick<BodyHandle, 'read'>, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Writes all of the bytes; a disk that fills up takes a part of them first. */
export async function writeAt(handle: Pick<BodyHandle, 'write'>, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
