import type { Socket } from 'node:net';
import { parseRequestHead, RequestError, type RequestHead } from './request-head.js';

/** URLs travel in the request line: up to Chromium's maximum length. */
const MAX_HEAD = 2 * 1024 * 1024 + 256 * 1024;
const MAX_LINE = 8 * 1024;
const BREAK = '\r\n';

/** The requests of one connection, in sequence. */
export interface RequestReader {
  /** The next request; undefined if the connection ends before it. Throws a `RequestError`. */
  next(): Promise<RequestHead | undefined>;
  /** The request's body as forwarded. Read it to the end before the next request. Throws a `RequestError`. */
  body(head: RequestHead): AsyncGenerator<Buffer, void>;
  /** Ends the reading, and returns the excess bytes. */
  release(): Promise<Buffer>;
}

export function createRequestReader(socket: Socket): RequestReader {
  const bytes = createByteReader(socket);
  return {
    async next() {
      const text = await bytes.takeUntil(BREAK + BREAK, MAX_HEAD);
      return text === undefined ? undefined : parseRequestHead(text);
    },
    body: ({ body }) => (body === 'chunked' ? readChunks(bytes) : bytes.take(body)),
    release: () => bytes.release(),
  };
}

/** Rewrites chunks (RFC 9112, 7.1) without extensions and trailers, which browsers do not send. */
async function* readChunks(bytes: ByteReader): AsyncGenerator<Buffer, void> {
  for (let size = await readSize(bytes); size > 0; size = await readSize(bytes)) {
    yield Buffer.from(`${size.toString(16)}${BREAK}`);
    yield* bytes.take(size);
    if ((await readLine(bytes)) !== '') throw new RequestError('not the end of a chunk');
    yield Buffer.from(BREAK);
  }
  while ((await readLine(bytes)) !== '');
  yield Buffer.from(`0${BREAK}${BREAK}`);
}

async function readSize(bytes: ByteReader): Promise<number> {
  const [, digits] = /^([\da-f]{1,12})[\t ]*(?:;.*)?$/i.exec(await readLine(bytes)) ?? [];
  if (digits === undefined) throw new RequestError('not a chunk');
  return Number.parseInt(digits, 16);
}

async function readLine(bytes: ByteReader): Promise<string> {
  const line = await bytes.takeUntil(BREAK, MAX_LINE);
  if (line === undefined) throw new RequestError('the body ends early');
  return line;
}

/** A connection's bytes, read on demand only. */
interface ByteReader {
  /** Latin-1 text up to the delimiter, which is consumed but not returned; undefined if the connection ends before. */
  takeUntil(delimiter: string, limit: number): Promise<string | undefined>;
  /** The given number of bytes, as they arrive. */
  take(length: number): AsyncGenerator<Buffer, void>;
  /** Ends the reading, and returns the excess bytes. */
  release(): Promise<Buffer>;
}

/** Its methods throw a `RequestError` for data that is too long or ends early, and pass on the connection's errors. */
function createByteReader(socket: Socket): ByteReader {
  const chunks: AsyncIterator<Buffer, undefined> = socket.iterator({ destroyOnReturn: false });
  let pending: Buffer = Buffer.alloc(0);

  const fill = async (): Promise<boolean> => {
    const { value } = await chunks.next();
    if (value === undefined) return false;
    pending = pending.length === 0 ? value : Buffer.concat([pending, value]);
    return true;
  };
  const cut = (length: number): Buffer => {
    const part = pending.subarray(0, length);
    pending = pending.subarray(length);
    return part;
  };

  return {
    async takeUntil(delimiter, limit) {
      for (let searched = 0; ;) {
        const end = pending.indexOf(delimiter, searched);
        if (end > limit || (end === -1 && pending.length > limit)) throw new RequestError('too long');
        if (end !== -1) return cut(end + delimiter.length).toString('latin1', 0, end);
        searched = Math.max(0, pending.length - delimiter.length);
        if (!(await fill())) return undefined;
      }
    },
    async *take(length) {
      for (let left = length; left > 0;) {
        if (pending.length === 0 && !(await fill())) throw new RequestError('the body ends early');
        const part = cut(Math.min(left, pending.length));
        left -= part.length;
        yield part;
      }
    },
    async release() {
      await chunks.return?.();
      return pending;
    },
  };
}
