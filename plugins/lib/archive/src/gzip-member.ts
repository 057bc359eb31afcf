import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { type ByteSource, CHUNK_BYTES, readFrom } from './byte-source.js';
import { ArchiveDamaged } from './contract.js';
import { through } from './through.js';

/** One gzip member of a file (RFC 1952), inflated as it is read. */
export interface GzipMember {
  readonly chunks: AsyncGenerator<Buffer>;
  /** Offset of the byte after it, once its chunks have been read. */
  end(): number;
}

const TRAILER_BYTES = 8;
/** Members up to this size are inflated in one call, which takes less time than a stream. */
const SMALL_BYTES = 256 * 1024;

export function openMember(source: ByteSource, offset: number, signal: AbortSignal): GzipMember {
  let end = offset;
  async function* inflate(): AsyncGenerator<Buffer> {
    const first = await source.read(offset, CHUNK_BYTES);
    const head = headerBytes(first);
    if (head === undefined) throw new ArchiveDamaged('there is no gzip data');
    const small = inflateSmall(first.subarray(head));
    if (small) {
      end = offset + head + small.consumed + TRAILER_BYTES;
      yield small.bytes;
      return;
    }
    const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
    yield* through(readFrom(source, offset + head, signal), inflater, 'its gzip data is damaged or ends early');
    end = offset + head + inflater.bytesWritten + TRAILER_BYTES;
  }
  return { chunks: inflate(), end: () => end };
}

export function isGzip(bytes: Buffer): boolean {
  return bytes.length >= 3 && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** Undefined: it is no header, or an unusually long one. */
function headerBytes(bytes: Buffer): number | undefined {
  if (!isGzip(bytes) || bytes.length < 10) return undefined;
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16LE(at) : bytes.length);
  // The original's name, and a comment.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return undefined;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : undefined;
}

/** The result of `info`, which the types of Node lack. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Undefined if it is larger, or damaged. */
function inflateSmall(bytes: Buffer): { readonly bytes: Buffer; readonly consumed: number } | undefined {
  try {
    const options = { info: true, maxOutputLength: SMALL_BYTES };
    // With `info`, that is what it returns.
    const { buffer, engine } = inflateRawSync(bytes, options) as unknown as Inflated;
    return { bytes: buffer, consumed: engine.bytesWritten };
  } catch {
    return undefined;
  }
}
