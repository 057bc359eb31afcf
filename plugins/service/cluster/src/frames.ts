import { type AssetHead, ERRORS, type ErrorCode, type ErrorDetails, isPlatenError, type MissingAsset, PlatenError } from '@platen/kernel';
import type { Output, Progress, Timings } from '@platen/kernel';

/** A render's result without the bytes of its output. */
export interface ResultHead extends Omit<Output, 'body'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly timings: Timings;
  readonly missing: readonly MissingAsset[];
}

/** An error of a render as it crosses the wire. Only codes whose messages may leave a server carry one. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
  readonly missing: readonly MissingAsset[];
  readonly plugin?: string;
  readonly hook?: string;
}

/** A worker's messages to the front. The bytes of an asset or an output follow its message, up to `END`. */
export type Message =
  | { readonly type: 'phase'; readonly phase: string }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'asset'; readonly head: AssetHead }
  | { readonly type: 'result'; readonly result: ResultHead }
  | { readonly type: 'error'; readonly error: SentError };

/** How far a render is. Unlike other messages, these may come between the bytes of an output: a crawl goes on while its archive is sent. */
export type ProgressMessage = Extract<Message, { readonly type: 'phase' | 'progress' }>;

/** One frame as read. A frame of bytes may arrive as several. */
export type Frame = { readonly message: Message } | { readonly bytes: Buffer } | 'end';

/** Each frame begins with its kind (one byte) and the length of its content (32 bits, big-endian). */
const HEADER_BYTES = 5;
const MESSAGE = 0;
const BYTES = 1;
/** Far more than the headers and details of a result need. */
const MAX_MESSAGE_BYTES = 8 * 1024 ** 2;

export function encodeMessage(message: Message): Buffer {
  const content = Buffer.from(JSON.stringify(message));
  return Buffer.concat([headerOf(MESSAGE, content.length), content]);
}

/** The frame of a chunk, in pieces: the chunk is not copied. */
export function encodeBytes(chunk: Buffer): readonly Buffer[] {
  return chunk.length === 0 ? [] : [headerOf(BYTES, chunk.length), chunk];
}

/** Marks the end of the bytes of an asset or an output: an empty frame of bytes. */
export const END = headerOf(BYTES, 0);

function headerOf(kind: number, length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(kind);
  header.writeUInt32BE(length, 1);
  return header;
}

/** Reads frames as they arrive. Only messages are collected; bytes are passed on in the pieces in which they came. */
export async function* readFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Frame, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of the current frame of bytes that have not arrived yet. */
  let owed = 0;
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (owed > 0) {
        if (rest.length === 0) break;
        const bytes = rest.subarray(0, owed);
        owed -= bytes.length;
        rest = rest.subarray(bytes.length);
        yield { bytes };
        continue;
      }
      if (rest.length < HEADER_BYTES) break;
      const length = rest.readUInt32BE(1);
      if (rest[0] === BYTES) {
        rest = rest.subarray(HEADER_BYTES);
        owed = length;
        if (length === 0) yield 'end';
        continue;
      }
      if (rest[0] !== MESSAGE || length > MAX_MESSAGE_BYTES) throw new Error('these are not frames of a worker');
      if (rest.length < HEADER_BYTES + length) break;
      const content = rest.subarray(HEADER_BYTES, HEADER_BYTES + length);
      rest = rest.subarray(HEADER_BYTES + length);
      // The secret of the job shows that a worker of this cluster wrote it, and the cache key that it runs the same version.
      yield { message: JSON.parse(content.toString()) as Message };
    }
  }
  if (owed > 0 || rest.length > 0) throw new Error('the frames of a worker end early');
}

/** The bytes up to their end. @throws PlatenError if the worker reports an error among them */
export async function* readBytes(
  frames: AsyncIterator<Frame, void, undefined>,
  onProgress: (message: ProgressMessage) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    const next = await frames.next();
    if (next.done === true) throw new Error('the bytes of a worker end early');
    if (next.value === 'end') return;
    if ('bytes' in next.value) {
      yield next.value.bytes;
      continue;
    }
    const { message } = next.value;
    if (message.type === 'error') throw decodeError(message.error);
    if (message.type !== 'phase' && message.type !== 'progress') throw new Error('a worker sent another message among bytes');
    onProgress(message);
  }
}

export function encodeError(error: unknown): Buffer {
  const known = isPlatenError(error) ? error : new PlatenError('internal', 'unexpected error');
  const { code, expose, message, details, assets, plugin, hook } = known;
  return encodeMessage({
    type: 'error',
    error: {
      code,
      message: expose ? message : 'the worker failed; its log contains the cause, under the same request id',
      details,
      missing: assets?.missing ?? [],
      ...(plugin === undefined ? {} : { plugin }),
      ...(hook === undefined ? {} : { hook }),
    },
  });
}

export function decodeError({ code, message, details, plugin, hook }: SentError): PlatenError {
  const owner = { ...(plugin === undefined ? {} : { plugin }), ...(hook === undefined ? {} : { hook }) };
  return new PlatenError(code in ERRORS ? code : 'internal', message, { ...details, ...owner });
}
