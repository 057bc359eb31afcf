import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gzipSync } from 'node:zlib';
import type { Clock } from '@platen/kernel';
import type { CdxEntry } from './cdx-index.js';
import { onOneLine } from './http-head.js';
import type { MeasuredBlock } from './measure-block.js';

/** A WARC 1.1 record. */
export interface WarcRecord {
  /** `WARC-Type`. */
  readonly type: 'warcinfo' | 'response' | 'request' | 'revisit' | 'resource';
  /** The UUID of `WARC-Record-ID`. */
  readonly id: string;
  readonly date: Date;
  readonly contentType: string;
  /** Further named fields, in their order; undefined and empty ones are omitted. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly block: MeasuredBlock;
  /** The content is compressed already: packing it again would only take time. */
  readonly isPacked?: boolean;
}

/** Where a record is in the file. */
export type Placed = Pick<CdxEntry, 'offset' | 'length'>;

/** The file that records are appended to, and its index. */
export interface RecordSink {
  readonly clock: Clock;
  append(record: WarcRecord): Promise<Placed>;
  readonly index?: { add(entry: Omit<CdxEntry, 'filename'>): void } | undefined;
}

/** Blocks up to this size are packed in one call, on the event loop: that takes less time than the way to another thread. */
const SMALL_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024;
const END = Buffer.from('\r\n\r\n');

/**
 * Writes a record as a gzip member of its own (WARC 1.1, annex D).
 *
 * @param write resolves when more is accepted
 */
export async function encodeRecord(record: WarcRecord, write: (bytes: Buffer) => Promise<void>): Promise<void> {
  const { whole, bytes } = record.block;
  const level = record.isPacked === true ? constants.Z_BEST_SPEED : constants.Z_DEFAULT_COMPRESSION;
  if (whole && bytes <= SMALL_BYTES) {
    await write(gzipSync(Buffer.concat([encodeFields(record), whole, END]), { level }));
    return;
  }
  await pipeline(chunksOf(record), createGzip({ level, chunkSize: CHUNK_BYTES }), async (packed: AsyncIterable<Buffer>) => {
    for await (const chunk of packed) await write(chunk);
  });
}

async function* chunksOf(record: WarcRecord): AsyncGenerator<Buffer> {
  yield encodeFields(record);
  yield* record.block.chunks();
  yield END;
}

function encodeFields({ type, id, date, contentType, fields, block }: WarcRecord): Buffer {
  const all = Object.entries<string | undefined>({
    'WARC-Type': type,
    'WARC-Record-ID': recordUrn(id),
    'WARC-Date': date.toISOString(),
    ...fields,
    'WARC-Block-Digest': block.blockDigest,
    'Content-Type': contentType,
    'Content-Length': String(block.bytes),
  });
  const lines = all.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}: ${onOneLine(value)}`]));
  return Buffer.from(['WARC/1.1', ...lines, '', ''].join('\r\n'));
}

export function recordUrn(id: string): string {
  return `<urn:uuid:${id}>`;
}
