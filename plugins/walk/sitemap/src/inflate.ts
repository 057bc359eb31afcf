import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RATIO_FROM_BYTES, SitemapError, type SitemapLimits } from './limits.js';

/** Pieces are parsed one by one: larger ones would hold many entries in memory. */
const PIECE_BYTES = 64 * 1024;
/** The first piece is enough to recognize the compression, the encoding and the format. A slow list is not waited for any longer. */
const HEAD_BYTES = 512;

/**
 * The content of a body in pieces of at most 64 KiB, the first with at least 512 bytes if there are as many. It is gzip if it begins with 1f 8b,
 * whatever its headers say (RFC 1952, 2.3.1).
 *
 * @throws SitemapError if it exceeds a limit, or is damaged gzip.
 */
export async function* inflate(body: AsyncIterable<Buffer>, limits: SitemapLimits): AsyncGenerator<Buffer> {
  const pieces = fillHead(split(body));
  const first = await pieces.next();
  if (first.done === true) return;
  const whole = prepend(first.value, pieces);
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  let bytes = 0;
  for await (const piece of isGzip ? fillHead(gunzip(whole, limits)) : whole) {
    bytes += piece.length;
    if (bytes > limits.inflatedBytes) throw new SitemapError(`it exceeds ${mib(limits.inflatedBytes)} MiB`);
    yield piece;
  }
}

async function* split(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, Math.min(at + PIECE_BYTES, chunk.length));
}

async function* fillHead(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (head !== undefined) head = Buffer.concat([head, piece]);
    if (head !== undefined && head.length < HEAD_BYTES) continue;
    yield head ?? piece;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

async function* prepend(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    // Not reached by the loop if the reader stops at the first piece.
    await rest.return(undefined);
  }
}

async function* gunzip(pieces: AsyncIterable<Buffer>, limits: SitemapLimits): AsyncGenerator<Buffer> {
  let compressed = 0;
  let inflated = 0;
  const count = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      compressed += piece.length;
      if (compressed > limits.compressedBytes) throw new SitemapError(`its gzip data exceeds ${mib(limits.compressedBytes)} MiB`);
      yield piece;
    }
  };
  const inflater = createGunzip({ chunkSize: PIECE_BYTES });
  // Errors of the body, too, end the inflater, and a reader that stops ends the body.
  pipeline(Readable.from(count(), { objectMode: false }), inflater, () => undefined);
  try {
    for await (const chunk of inflater) {
      // Without an encoding set, a stream's chunks are buffers.
      const piece = chunk as Buffer;
      inflated += piece.length;
      if (inflated > RATIO_FROM_BYTES && inflated / compressed > limits.compressionRatio)
        throw new SitemapError(`its gzip data inflates to more than ${limits.compressionRatio} times its size`);
      yield piece;
    }
  } catch (error) {
    throw isZlibError(error) ? new SitemapError(`its gzip data is damaged: ${error.message}`, { cause: error }) : error;
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');
}

function mib(bytes: number): number {
  return bytes / (1024 * 1024);
}
