import { once } from 'node:events';
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { untilAborted } from '../deadline.js';
import { KERNEL_VERSION } from '../version.js';
import { DialError, type Dialler, type Route } from './dialler.js';
import { describeFault } from './fault.js';

export interface Ask {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

export interface OutboundResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  /** By lower-case name; repeated fields are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * `blocked`: a rule refused the address. `too_large`: more than `maxBytes`. `malformed`: what answers is no HTTP, or not coded as it says.
 * Its message names the URL without credentials.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: 'blocked' | 'unreachable' | 'malformed' | 'too_large' | 'redirects' | 'timeout' | 'scheme';

  constructor(reason: OutboundError['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** As Chromium has it: a page that it renders may be asked for its robots.txt. */
const MAX_HEADER_SIZE = 256 * 1024;

interface Way {
  readonly dialler: Dialler;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** One request and its answer, by the rules of the dialler: resolved once, judged, and sent to that very address. */
export async function exchange(ask: Ask, { dialler, maxBytes, signal }: Way): Promise<OutboundResponse> {
  const { url } = ask;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('scheme', `${url.protocol} is neither http: nor https:`);
  }
  try {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const route = await untilAborted(dialler.route(host, port), signal);
    const response = await answerTo(send(ask, route, signal));
    const body = await readBody(response, maxBytes);
    return { url: url.href, status: response.statusCode ?? 0, headers: joinHeaders(response), body };
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(error.reason, `${nameUrl(url)} ${error.message}`, error);
    if (error instanceof DialError && error.verdict === 'blocked') {
      throw new OutboundError('blocked', `${nameUrl(url)} may not be asked: ${error.message}`, error);
    }
    const { reason, words } = describeFault(error, MAX_HEADER_SIZE);
    throw new OutboundError(reason, `${nameUrl(url)} cannot be had: ${words}`, error);
  }
}

/** The URL for people and logs: its credentials and its query are left out. */
export function nameUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function send({ url, method, headers, body }: Ask, { host, port, lookup }: Route, signal: AbortSignal): ClientRequest {
  const { username, password } = url;
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    ...{ host, port, lookup, signal, method },
    path: `${url.pathname}${url.search}`,
    // One request a connection, which is closed behind its answer: what a lenient reader makes of its end can only be this answer, and
    // there is none behind it, of anybody's, to be taken for another's. Browsers read bare line feeds; so must who asks for their pages.
    agent: false,
    insecureHTTPParser: true,
    maxHeaderSize: MAX_HEADER_SIZE,
    headers: {
      'user-agent': `Platen/${KERNEL_VERSION}`,
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      host: url.host,
    },
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  });
  return request.end(body);
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of await decode(response)) {
    length += part.length;
    if (length > maxBytes) throw new OutboundError('too_large', `is longer than ${String(maxBytes)} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Content codings (RFC 9110, 8.4.1). One that was not asked for is left as it is. */
async function decode(response: IncomingMessage): Promise<Readable & AsyncIterable<Buffer>> {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder = coding === 'deflate' ? await chooseInflate(response) : DECODERS[coding];
  // What fails is told by the stream that is read: `pipeline` destroys it with the cause.
  return decoder === undefined ? response : pipeline(response, decoder(), () => undefined);
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
};

/**
 * Some servers leave out the zlib format around "deflate"; its first byte names the method (RFC 1950, 2.2). Undefined where there is
 * no byte.
 */
async function chooseInflate(body: Readable): Promise<typeof createInflate | typeof createInflateRaw | undefined> {
  if (body.readableLength === 0) await Promise.race([once(body, 'readable'), once(body, 'end')]);
  // A stream of bytes: no encoding is set.
  const start = body.read() as Buffer | null;
  if (start === null) return undefined;
  body.unshift(start);
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate : createInflateRaw;
}

function joinHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
