import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { SecureContext } from 'node:tls';
import { untilAborted } from '../deadline.js';
import { hostOf } from '../read-url.js';
import { KERNEL_VERSION } from '../version.js';
import { DialError, type Dialer, type Route } from './dialer.js';
import { describeFault } from './fault.js';
import { OutboundError } from './outbound-error.js';
import { readBody } from './read-body.js';

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

/** Same as Chromium's, since robots.txt is requested from the same hosts as pages. */
const MAX_HEADER_SIZE = 256 * 1024;

interface Way {
  readonly dialer: Dialer;
  /** Trusted certificates; undefined: Node's defaults. */
  readonly secureContext: SecureContext | undefined;
  readonly maxBytes: number;
  /** Whether to read the body of such a response; if not, it is neither read nor decoded, and empty. */
  readonly wants: (answer: Omit<OutboundResponse, 'body'>) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Sends one request by the rules of the dialer: resolved once, checked, and sent to exactly that address. Ends with the signal at the
 * latest, whatever the connection does.
 */
export async function sendRequest(ask: OutboundRequest, way: Way): Promise<OutboundResponse> {
  const { url } = ask;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('scheme', `${url.protocol} is neither http: nor https:`);
  }
  try {
    return await untilAborted(answerOf(ask, way), way.signal);
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(error.reason, `${formatUrlForLog(url)} ${error.message}`, error);
    if (error instanceof DialError && error.outcome === 'blocked') {
      throw new OutboundError('blocked', `${formatUrlForLog(url)} may not be asked: ${error.message}`, error);
    }
    const { reason, words } = describeFault(error, MAX_HEADER_SIZE);
    throw new OutboundError(reason, `${formatUrlForLog(url)} cannot be had: ${words}`, error);
  }
}

async function answerOf(ask: OutboundRequest, way: Way): Promise<OutboundResponse> {
  const { url } = ask;
  const { host, port } = hostOf(url);
  const { wants, maxBytes } = way;
  const route = await untilAborted(way.dialer.route(host, port), way.signal);
  const request = send(ask, route, way);
  try {
    const response = await headOf(request);
    const head = { url: url.href, status: response.statusCode ?? 0, headers: joinHeaders(response) };
    return { ...head, body: wants(head) ? await readBody(response, maxBytes) : Buffer.alloc(0) };
  } finally {
    request.destroy();
  }
}

/** The URL for messages and logs, without credentials and query. */
export function formatUrlForLog({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function send(
  { url, method, headers, body }: OutboundRequest,
  { host, port, lookup }: Route,
  { signal, secureContext }: Way,
): ClientRequest {
  const { username, password } = url;
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)({
    ...{ host, port, lookup, signal, method },
    path: `${url.pathname}${url.search}`,
    // Each connection has one request and is closed after its response, so a lenient parser that misreads the end cannot mix up responses.
    // Browsers accept bare line feeds, so requests for the same pages must, too.
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
    ...(secureContext === undefined ? {} : { secureContext }),
    ...(username || password ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {}),
  });
  return request.end(body);
}

/** Limit of interim responses (RFC 9110, 15.2), so that endless ones do not keep the reader busy until the time is up. */
const MAX_INTERIM = 32;

/** The response without its body. A connection may end, or switch protocols, without a response event. */
function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const refuse = (words: string): void => {
      reject(new OutboundError('malformed', `cannot be had: ${words}`));
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
      if (interim > MAX_INTERIM) refuse(`it gives more than ${String(MAX_INTERIM)} interim answers`);
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
      reject(new OutboundError('unreachable', 'cannot be had: the connection broke off before the answer was whole'));
    });
  });
}

function joinHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
