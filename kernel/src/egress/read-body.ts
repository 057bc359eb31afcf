import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundError } from './outbound-error.js';

/** Reads and decodes a response body up to a size limit, as tolerant of sender errors as browsers. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const codings = listCodings(response.headers['content-encoding']);
  // Compressed data may be slightly longer than its content.
  let body = await collect(response, maxBytes, codings.length === 0 ? 0 : PACKING_BYTES);
  // The coding applied last is listed last (RFC 9110, 8.4).
  for (const decode of codings.reverse()) body = body.length === 0 ? body : await decode(body, maxBytes);
  return body;
}

type Decode = (body: Buffer, maxBytes: number) => Promise<Buffer>;

const PACKING_BYTES = 64 * 1024;
/** Servers do not apply more codings, and each may multiply the length by a thousand. */
const MAX_CODINGS = 3;
/** Never requested; without a decoder their bytes would be taken for text. */
const UNREADABLE = new Set(['zstd', 'compress', 'x-compress', 'dcb', 'dcz']);
const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', (body: Buffer, maxBytes: number) => collect(feed(createBrotliDecompress(), body), maxBytes)],
]);

/** Content codings (RFC 9110, 8.4.1). A single unknown word, as in `Content-Encoding: UTF-8`, is ignored. */
function listCodings(field = ''): Decode[] {
  const names = field
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_CODINGS) throw malformed(`its "Content-Encoding" names more than ${String(MAX_CODINGS)} codings`);
  return names.flatMap((name) => {
    const decode = DECODERS.get(name);
    if (decode === undefined && (names.length > 1 || UNREADABLE.has(name))) throw malformed('its "Content-Encoding" was not requested');
    return decode ?? [];
  });
}

async function collect(stream: AsyncIterable<Buffer>, maxBytes: number, allowance = 0): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > maxBytes + allowance) throw new OutboundError('too_large', `is longer than ${String(maxBytes)} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A decoder reads nothing after the end of its format. */
function feed<T extends Transform>(decoder: T, body: Buffer): T {
  decoder.end(body);
  return decoder;
}

/** A truncated body keeps its beginning. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH } as const;

/** Some servers omit the zlib format around "deflate"; its first byte has the method (RFC 1950, 2.2). */
function inflate(body: Buffer, maxBytes: number): Promise<Buffer> {
  const create = ((body[0] ?? 0) & 0x0f) === 8 ? createInflate : createInflateRaw;
  return collect(feed(create(LENIENT), body), maxBytes);
}

/** The trailer of each member: checksum and length. */
const TRAILER_BYTES = 8;
/** Ten times the number of members that blocked gzip has for the longest requested body. */
const MAX_MEMBERS = 10_000;

/** Decodes all members (RFC 1952, 2.2) and ignores data after them. Checksums are ignored, as in browsers. */
async function gunzip(body: Buffer, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let left = maxBytes;
  for (let at = 0; at === 0 || isMember(body.subarray(at));) {
    const start = at + headerLength(body.subarray(at));
    const decoder = feed(createInflateRaw(LENIENT), body.subarray(start));
    const part = await collect(decoder, left).catch((error: unknown) => {
      throw error instanceof OutboundError ? new OutboundError('too_large', `is longer than ${String(maxBytes)} bytes`, error) : error;
    });
    if (parts.push(part) > MAX_MEMBERS) throw malformed(`its body has more than ${String(MAX_MEMBERS)} parts`);
    left -= part.length;
    at = start + decoder.bytesWritten + TRAILER_BYTES;
  }
  return Buffer.concat(parts);
}

function isMember(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

const [HEADER_CHECKSUM, EXTRA, NAME, COMMENT] = [2, 4, 8, 16] as const;

function headerLength(member: Buffer): number {
  if (!isMember(member)) throw malformed('its body does not match its "Content-Encoding"');
  const flags = member[3] ?? 0;
  let length = 10;
  if (flags & EXTRA) length += 2 + (member[length] ?? 0) + 256 * (member[length + 1] ?? 0);
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const end = member.indexOf(0, length);
    length = end === -1 ? Infinity : end + 1;
  }
  if (flags & HEADER_CHECKSUM) length += 2;
  if (length > member.length) throw malformed('its body ends too early for its "Content-Encoding"');
  return length;
}

function malformed(words: string): OutboundError {
  return new OutboundError('malformed', `could not be fetched: ${words}`);
}
