import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { type Clock, isDiskFull, PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import { openScratchFile } from '@platen/lib-spool';
import type { CdxIndex } from './cdx-index.js';
import { createWarcWriter } from './warc-writer.js';
import { type ArchivedPage, writePage } from './write-page.js';

export interface WarcContent {
  /** Read once, one after the other; the next is requested when the last is written. */
  readonly pages: AsyncIterable<ArchivedPage>;
  /** The WARC's name, in itself and in the index. */
  readonly filename: string;
  /** See `WarcWriterOptions`. */
  readonly clock?: Clock;
  /** Fields of the first record: `software`, `format` ... */
  readonly info: Readonly<Record<string, string>>;
  /** Fields of a last `warcinfo` record, requested once all pages are written; undefined: there is none. */
  readonly closingInfo?: () => Readonly<Record<string, string>> | undefined;
  /** Complete when the stream has ended. */
  readonly index?: CdxIndex | undefined;
  /** Reports bytes written. */
  readonly wrote?: (bytes: number) => void;
}

const BUFFERED_BYTES = 256 * 1024;

/**
 * The WARC of pages as a stream that is written only as fast as it is read. Destroying it ends the reading of pages.
 *
 * @throws the stream fails with `encode_failed` if the disk is full, and with the error of the pages
 */
export function openWarc(content: WarcContent): Readable {
  const stream = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  const closing = new AbortController();
  stream.once('close', () => {
    closing.abort();
  });
  const write = async (bytes: Buffer) => {
    closing.signal.throwIfAborted();
    content.wrote?.(bytes.length);
    if (!stream.write(bytes)) await once(stream, 'drain', { signal: closing.signal });
  };
  writeWarc(content, write).then(
    () => stream.end(),
    (error: unknown) => stream.destroy(describeError(error)),
  );
  return stream;
}

async function writeWarc(
  { pages, filename, info, closingInfo, index, clock }: WarcContent,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const writer = createWarcWriter({ write, filename, index, clock });
  await writer.warcinfo(info);
  for await (const page of pages) await writePage(writer, page);
  const last = closingInfo?.();
  if (last) await writer.warcinfo(last);
}

function describeError(error: unknown): Error {
  if (isDiskFull(error)) {
    return new PlatenError('encode_failed', `the warc could not be written: ${TEMPORARY_DISK} is full`, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Reads a stream to its end into a private file.
 *
 * @returns its content, as a stream that owns the file
 */
export async function spoolStream(stream: Readable): Promise<Readable> {
  await using file = await openScratchFile();
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of stream as AsyncIterable<Buffer>) await file.append(chunk);
  return await file.read();
}
