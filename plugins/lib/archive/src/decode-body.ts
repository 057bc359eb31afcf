import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { ArchiveDamaged, type BodyOptions } from './contract.js';
import { Cursor } from './cursor.js';
import { isGzip } from './gzip-member.js';
import { through } from './through.js';
import { type Header, headerOf } from './warc-record.js';

/** Fields that no longer apply to a decoded body, also under the names that archives give them. */
const OF_THE_WIRE = /^(?:x-(?:orig|archive-orig)-)?(?:content-encoding|transfer-encoding|content-length)$/i;

export function decodedHeaders(headers: readonly Header[]): readonly Header[] {
  return headers.filter(([name]) => !OF_THE_WIRE.test(name));
}

/** The body without the codings that its headers name: some writers store it decoded, and leave the fields. */
export async function* decodeBody(payload: AsyncIterable<Buffer>, headers: readonly Header[]): AsyncGenerator<Buffer> {
  const isChunked = /\bchunked\b/i.test(headerOf(headers, 'transfer-encoding') ?? '');
  let body = isChunked ? dechunk(payload) : payload;
  const codings = (headerOf(headers, 'content-encoding') ?? '').toLowerCase().split(',');
  for (const coding of codings.map((name) => name.trim()).reverse()) {
    if (coding !== '' && coding !== 'identity') body = decode(body, coding);
  }
  yield* body;
}

const LONGEST_SIZE = 1024;

async function* dechunk(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const cursor = new Cursor(payload);
  const start = await cursor.peek(LONGEST_SIZE);
  if (!/^[\da-f]+[ \t]*(?:;[^\r\n]*)?\r\n/i.test(start.toString('latin1', 0, LONGEST_SIZE))) {
    yield* cursor.take(Infinity);
    return;
  }
  for (;;) {
    const line = await cursor.line(LONGEST_SIZE);
    const size = Number.parseInt(line ?? '', 16);
    // A connection that was cut.
    if (line === undefined || size === 0) return;
    if (Number.isNaN(size)) throw new ArchiveDamaged('its chunks are damaged');
    yield* cursor.take(size);
    await cursor.line(2);
  }
}

/** What the first bytes are of. */
interface Sample {
  /** They are the whole body. */
  readonly isWhole: boolean;
}

interface Coding {
  /** Undefined: this version of Node has none. */
  readonly open: (() => Transform) | undefined;
  /** Whether the first bytes of a body have the coding. */
  matches(start: Buffer, of: Sample): boolean;
}

const FLUSH = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const GZIP: Coding = { open: () => zlib.createGunzip(FLUSH), matches: isGzip };
const ZSTD_MAGIC = 0xfd2fb528;

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: {
    // With the header of zlib, or without.
    open: () => zlib.createInflate(FLUSH),
    matches: (start) => start.length >= 2 && ((start[0] ?? 0) & 15) === 8 && start.readUInt16BE(0) % 31 === 0,
  },
  'deflate-raw': { open: () => zlib.createInflateRaw(FLUSH), matches: (start, sample) => isReadable(zlib.inflateRawSync, start, sample) },
  br: {
    open: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    matches: (start, sample) => isReadable(zlib.brotliDecompressSync, start, sample),
  },
  zstd: { open: zstdOpener(), matches: (start) => start.length >= 4 && start.readUInt32LE(0) === ZSTD_MAGIC },
};

/** Node 22.15 and later. */
function zstdOpener(): (() => Transform) | undefined {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  // That is its type.
  return typeof create === 'function' ? (create as () => Transform) : undefined;
}

const PROBED_BYTES = 4096;
const PROBED_OUTPUT = 64 * 1024;

/** Whether the bytes can be decoded; they may be cut if they are not the whole body. */
function isReadable(
  decodeSync: typeof zlib.brotliDecompressSync | typeof zlib.inflateRawSync,
  start: Buffer,
  { isWhole }: Sample,
): boolean {
  const cut = {
    finishFlush: decodeSync === zlib.brotliDecompressSync ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.Z_SYNC_FLUSH,
  };
  try {
    decodeSync(start, { maxOutputLength: PROBED_OUTPUT, ...(isWhole ? {} : cut) });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
  }
}

async function* decode(body: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const cursor = new Cursor(body);
  const start = await cursor.peek(PROBED_BYTES + 1);
  const sample = { isWhole: start.length <= PROBED_BYTES };
  const matching = (coding: Coding | undefined) => (coding?.matches(start.subarray(0, PROBED_BYTES), sample) === true ? coding : undefined);
  const coding = matching(CODINGS[name]) ?? (name === 'deflate' ? matching(CODINGS['deflate-raw']) : undefined);
  if (!Object.hasOwn(CODINGS, name) || (coding && !coding.open)) {
    throw new ArchiveDamaged(`its Content-Encoding "${name.slice(0, 40)}" cannot be decoded here`);
  }
  if (coding?.open === undefined) yield* cursor.take(Infinity);
  else yield* through(cursor.take(Infinity), coding.open(), `its Content-Encoding "${name}" is damaged`);
}

/** The bytes that a caller wants. @throws ArchiveDamaged if they are more than `maxBytes` */
export async function collect(body: AsyncIterable<Buffer>, { signal, maxBytes, range }: BodyOptions): Promise<Buffer> {
  const [first, last] = range ?? [0, Infinity];
  const chunks: Buffer[] = [];
  let [at, kept] = [0, 0];
  for await (const chunk of body) {
    signal.throwIfAborted();
    const part = chunk.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += chunk.length;
    kept += part.length;
    if (kept > maxBytes) throw new ArchiveDamaged(`its body has more than ${String(maxBytes)} bytes`);
    // A slice of a large chunk would retain all of its memory.
    if (part.length > 0) chunks.push(part.length * 2 < chunk.length ? Buffer.from(part) : part);
    if (at > last) break;
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}
