import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls, type ConnectionOptions, type SecureContext } from 'node:tls';
import { untilAborted } from '../deadline.js';
import { hostOf } from './read-url.js';
import { codeOf, DialError } from './dial-error.js';
import type { Dialer } from './dialer.js';
import type { Route } from './route.js';
import { OutboundError } from './outbound-error.js';
import { readBody } from './read-body.js';

/** OpenSSL's X509_V_ERR_* for a chain that does not end with a known authority. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Error codes of zlib, and of brotli, which appends its own names to "ERR_". */
const CODINGS = /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/;

export interface OutboundRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

export interface OutboundResponse {
  /** URL of the response, after redirects. */
  readonly url: string;
  readonly status: number;
  /** By lower-case name; repeated fields are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response whose body is still on its way. */
export interface OutboundStream extends Omit<OutboundResponse, 'body'> {
  readonly statusText: string;
  /** As received, repeated fields one by one. */
  readonly headerLines: readonly { readonly name: string; readonly value: string }[];
  /** The address that was connected to; undefined if a plugin has supplied the response. */
  readonly remote: { readonly address: string; readonly port: number } | undefined;
  /** Not decoded: no content coding was offered, but a server may send one all the same. */
  readonly body: Readable;
}

/** Same as Chromium's, since robots.txt is requested from the same hosts as pages. */
const MAX_HEADER_SIZE = 256 * 1024;

interface Way {
  readonly dialer: Dialer;
  /** Trusted certificates; undefined: Node's defaults. */
  readonly secureContext: SecureContext | undefined;
  /** Hosts whose certificates are not verified. */
  readonly isInsecure: (host: string, port: number) => boolean;
  readonly maxBytes: number;
  /** Whether to read the body of such a response; if not, it is neither read nor decoded, and empty. */
  readonly wants: (answer: Omit<OutboundResponse, 'body'>) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends one request by the rules of the dialer: resolved once, checked, and sent to exactly that address. Ends with the signal at the
 * latest, whatever the connection does.
 */
export function sendRequest(ask: OutboundRequest, way: Way): Promise<OutboundResponse> {
  return explaining(ask, way, () => answerOf(ask, way));
}

/** The same for a body of any length, which is read from the connection as the caller reads it. It is to be read or destroyed. */
export function openResponse(ask: OutboundRequest, way: Omit<Way, 'wants' | 'maxBytes'>): Promise<OutboundStream> {
  return explaining(ask, way, async () => {
    const route = await routeTo(ask.url, way);
    const request = await send({ ...ask, headers: { ...ask.headers, 'accept-encoding': 'identity' } }, route, way);
    const response = await headOf(request);
    const { rawHeaders } = response;
    return {
      url: ask.url.href,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: joinHeaders(response),
      headerLines: rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: rawHeaders[at + 1] ?? '' }] : [])),
      remote: { address: (route.via === undefined ? response.socket.remoteAddress : route.addresses[0]?.address) ?? '', port: route.port },
      body: response,
    };
  });
}

async function explaining<T>(ask: OutboundRequest, { signal }: Pick<Way, 'signal'>, work: () => Promise<T>): Promise<T> {
  const { url } = ask;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('scheme', `${url.protocol} is neither http: nor https:`);
  }
  try {
    return await untilAborted(work(), signal);
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(error.reason, `${formatUrlForLog(url)} ${error.message}`, error);
    if (error instanceof DialError && error.outcome === 'blocked') {
      throw new OutboundError('blocked', `${formatUrlForLog(url)} may not be requested: ${error.message}`, error);
    }
    if (error instanceof DialError && error.outcome === 'proxy') {
      throw new OutboundError('proxy', `${formatUrlForLog(url)} could not be fetched: ${error.message}`, error);
    }
    const { reason, words } = describeFailure(error, MAX_HEADER_SIZE);
    throw new OutboundError(reason, `${formatUrlForLog(url)} could not be fetched: ${words}`, error);
  }
}

async function answerOf(ask: OutboundRequest, way: Way): Promise<OutboundResponse> {
  const { url } = ask;
  const { wants, maxBytes } = way;
  const request = await send(ask, await routeTo(url, way), way);
  try {
    const response = await headOf(request);
    const head = { url: url.href, status: response.statusCode ?? 0, headers: joinHeaders(response) };
    return { ...head, body: wants(head) ? await readBody(response, maxBytes) : Buffer.alloc(0) };
  } finally {
    request.destroy();
  }
}

function routeTo(url: URL, { dialer, signal }: Pick<Way, 'dialer' | 'signal'>): Promise<Route> {
  const { host, port } = hostOf(url);
  return untilAborted(dialer.route(host, port, { secure: url.protocol === 'https:' }), signal);
}

/** The URL for messages and logs, without credentials and query. */
export function formatUrlForLog({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

async function send(
  { url, method, headers, body }: OutboundRequest,
  route: Route,
  way: Omit<Way, 'wants' | 'maxBytes'>,
): Promise<ClientRequest> {
  const { username, password } = url;
  const { signal, secureContext } = way;
  const { host, port, lookup } = route;
  const trust = {
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(way.isInsecure(host, port) && { rejectUnauthorized: false }),
  };
  const isSecure = url.protocol === 'https:';
  const through = route.via === undefined ? undefined : await untilAborted(way.dialer.open(route), signal);
  const request = (isSecure ? requestHttps : requestHttp)({
    ...{ host, port, lookup, signal, method },
    path: `${url.pathname}${url.search}`,
    // Each connection has one request and is closed after its response, so a lenient parser that misreads the end cannot mix up responses.
    // Browsers accept bare line feeds, so requests for the same pages must, too.
    ...(through === undefined ? { agent: false } : { createConnection: () => (isSecure ? secured(through, host, trust) : through) }),
    insecureHTTPParser: true,
    maxHeaderSize: MAX_HEADER_SIZE,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      host: url.host,
    },
    ...trust,
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  });
  return request.end(body);
}

/** TLS with a host over a connection that a proxy has established. */
function secured(socket: Socket, host: string, trust: ConnectionOptions): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ socket, host, ...name, ALPNProtocols: ['http/1.1'], ...trust });
}

/** Limit of interim responses (RFC 9110, 15.2), so that endless ones do not keep the reader busy until the time is up. */
const MAX_INTERIM = 32;

/** The response without its body. A connection may end, or switch protocols, without a response event. */
function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const refuse = (words: string): void => {
      reject(new OutboundError('malformed', `could not be fetched: ${words}`));
      request.destroy();
    };
    const switches = (): void => {
      refuse('it wants to switch protocols');
    };
    let interim = 0;
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      switches();
    });
    request.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) refuse(`it sends more than ${String(MAX_INTERIM)} interim responses`);
    });
    request.on('response', (response) => {
      // A reader gets the error from the stream; without a reader it can be ignored.
      response.on('error', () => undefined);
      // That is, to an unnamed protocol.
      if (response.statusCode === 101) switches();
      else resolve(response);
    });
    request.on('error', reject);
    request.on('close', () => {
      reject(new OutboundError('unreachable', 'could not be fetched: the connection was closed before the response was complete'));
    });
  });
}

function joinHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

interface Failure {
  /** `malformed`: a server responded, and a retry would get the same response. */
  readonly reason: 'unreachable' | 'malformed';
  /** Clause that follows the colon of the error message. */
  readonly words: string;
}

/** Describes the error that ended an HTTP exchange. Node's network error codes are included, since readers search for them. */
function describeFailure(error: unknown, maxHeaderSize: number): Failure {
  const code = codeOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { reason: 'malformed', words: `the response has more than ${String(maxHeaderSize / 1024)} KiB of header fields` };
  }
  if (code.startsWith('HPE_')) return { reason: 'malformed', words: 'the response is not well-formed HTTP' };
  if (code === 'Z_BUF_ERROR') return { reason: 'malformed', words: 'its body ends too early for its "Content-Encoding"' };
  if (CODINGS.test(code)) return { reason: 'malformed', words: 'its body does not match its "Content-Encoding"' };
  if (code === 'ECONNRESET') return { reason: 'unreachable', words: 'the connection was closed before the response was complete' };
  if (code === 'ETIMEOUT') return { reason: 'unreachable', words: 'no name server responded for its name in time' };
  if (UNTRUSTED.has(code)) return { reason: 'unreachable', words: `${code} (add private certificate authorities with --browser-ca-file)` };
  return { reason: 'unreachable', words: code };
}
