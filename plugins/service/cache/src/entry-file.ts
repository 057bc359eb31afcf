import { createHash } from 'node:crypto';
import type { BodyHandle, ResultRecord } from '@platen/server';

/** The last bytes of a complete entry, with the version of the format. */
const MAGIC = Buffer.from('platen1\n');
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
const FOOTER_BYTES = DIGEST_BYTES + LENGTH_BYTES + MAGIC.length;
/** Usually contains the whole trailer. */
const FIRST_READ_BYTES = 4 * 1024;

/**
 * An entry file contains the body, the record as JSON, the SHA-256 of the record, its length (32 bits, big-endian) and the magic.
 * The record comes last because the digest of the body is not known earlier. One file per entry needs one rename and one removal.
 */
export function encodeTrailer(record: ResultRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, createHash('sha256').update(json).digest(), length, MAGIC]);
}

/** Size of the entry file in bytes. */
export function sizeOfEntry(record: ResultRecord): number {
  return record.bytes + encodeTrailer(record).length;
}

/** Reads the record of the entry with this key and file size (bytes). Undefined if the file is not a valid entry. */
export async function readRecord(handle: Pick<BodyHandle, 'read'>, size: number, key: string): Promise<ResultRecord | undefined> {
  const last = await readAt(handle, Math.max(0, size - FIRST_READ_BYTES), Math.min(size, FIRST_READ_BYTES));
  if (last.length < FOOTER_BYTES || !last.subarray(-MAGIC.length).equals(MAGIC)) return undefined;
  const length = last.readUInt32BE(last.length - MAGIC.length - LENGTH_BYTES);
  const total = length + FOOTER_BYTES;
  if (total > size) return undefined;
  const trailer = total <= last.length ? last.subarray(-total) : await readAt(handle, size - total, total);
  const json = trailer.subarray(0, length);
  const digest = trailer.subarray(length, length + DIGEST_BYTES);
  if (!createHash('sha256').update(json).digest().equals(digest)) return undefined;
  // The digest proves that this is the record that `encodeTrailer` wrote.
  const record = JSON.parse(json.toString()) as ResultRecord;
  return record.key === key && record.bytes + total === size ? record : undefined;
}

/** Returns fewer bytes than requested if the file ends before. */
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

/** Writes all bytes. A disk that is nearly full can cause partial writes. */
export async function writeAt(handle: Pick<BodyHandle, 'write'>, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
