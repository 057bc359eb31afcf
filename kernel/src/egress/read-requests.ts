import type { Socket } from 'node:net';

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

/** A request as the browser sent it: field names keep their case, order and repetitions. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body, or chunks. */
  readonly body: number | 'chunked';
}

/** Bytes that are not a request, or a request whose end is ambiguous (request smuggling). */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** Fields that belong to one connection (RFC 9110, 7.6.1) or to a proxy. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/**
 * Reads a head without its blank line, as Latin-1. As strict as possible, since browsers write well-formed requests: accepted heads are
 * forwarded unchanged, and must mean the same to the next reader. Throws a `RequestError`.
 */
function parseRequestHead(text: string): RequestHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, method, target] = /^([\w!#$%&'*+.^`|~-]+) ([!-~\x80-\xff]+) HTTP\/1\.[01]$/.exec(first) ?? [];
  if (method === undefined || target === undefined) throw new RequestError('not a request line');
  const fields = lines.map(parseField);
  return { method, target, fields, body: bodyOf(fields) };
}

function parseField(line: string): readonly [string, string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):([\t -~\x80-\xff]*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new RequestError('not a header field');
  // Not `trim`, which may remove the last byte of a UTF-8 character as a blank.
  return [name, value.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, '')];
}

/** RFC 9112, 6.3, without the cases in which recipients may guess. */
function bodyOf(fields: RequestHead['fields']): number | 'chunked' {
  const lengths = valuesOf(fields, 'content-length');
  const encodings = valuesOf(fields, 'transfer-encoding');
  const [length = '0'] = lengths;
  const [encoding] = encodings;
  if (lengths.length + encodings.length > 1) throw new RequestError('more than one length');
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') throw new RequestError('an encoding that is not chunked');
  if (!/^\d{1,15}$/.test(length)) throw new RequestError('not a length');
  return encoding === undefined ? Number(length) : 'chunked';
}

/** The values of a field, by its lower-case name. */
export function valuesOf(fields: RequestHead['fields'], wanted: string): readonly string[] {
  return fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

/**
 * The head to send on, in origin form. No `Via` is added, and `Proxy-Connection` becomes the `Connection` that the browser would have sent
 * in its place, so that a site sees the same request as without a proxy.
 */
export function writeRequestHead({ method, fields }: RequestHead, path: string): Buffer {
  const listed = new Set(valuesOf(fields, 'connection').flatMap((value) => value.split(',').map((token) => token.trim().toLowerCase())));
  // `Connection` must not remove the fields that determine the end of the body.
  for (const name of ['content-length', 'transfer-encoding', 'host']) listed.delete(name);
  const lines = fields.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'proxy-connection') return ['Connection: keep-alive'];
    return HOP_BY_HOP.has(lower) || listed.has(lower) ? [] : [`${name}: ${value}`];
  });
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1');
}
