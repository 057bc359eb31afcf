import { isRedirect } from '@platen/kernel';
import type { ArchivedBody, ArchivedExchange, ArchivedResponse, HeaderLine } from './exchange.js';

/** `WARC-Truncated` (WARC 1.1, 5.13). */
export type Truncation = 'length' | 'time' | 'disconnect';

/** The response of an exchange as the archive stores it. */
export interface StoredResponse {
  /** Without fragment. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HeaderLine[];
  /** Undefined: empty. */
  readonly body: ArchivedBody | undefined;
  readonly truncated: Truncation | undefined;
  /** A cache or a service worker was the source, so that the archive may already have it. */
  readonly isCopy: boolean;
}

/** Methods and resource types whose responses no page reads. */
const UNREAD_METHODS: ReadonlySet<string> = new Set(['OPTIONS', 'CONNECT']);
const UNREAD_TYPES: ReadonlySet<string> = new Set(['Preflight', 'WebSocket', 'Ping', 'CSPViolationReport']);

/** The response to store, so that the exchange can be replayed; undefined: none. */
export function chooseResponse({ request, response, resourceType, failure }: ArchivedExchange): StoredResponse | undefined {
  if (!response || UNREAD_METHODS.has(request.method) || UNREAD_TYPES.has(resourceType)) return undefined;
  const url = targetUri(request.url);
  if (!/^https?:\/\//i.test(url)) return undefined;
  const shown = replayableStatus(response);
  if (!shown) return undefined;
  const isCopy = response.servedFrom !== 'network' || response.status === 304;
  const location = isRedirect(shown.status) ? valueOf(shown.headers, 'location') : undefined;
  if (location !== undefined) return isSame(location, url) ? undefined : { url, ...shown, isCopy, body: undefined, truncated: undefined };
  const stored = storedBody(response.body, failure);
  if (!stored || (resourceType === 'EventSource' && !stored.body)) return undefined;
  return { url, ...shown, ...stored, isCopy };
}

/** A URL as sent: without fragment, not encoded anew. A blank would end it in a record. */
export function targetUri(url: string): string {
  return url.replace(/#.*/s, '').replace(/\s/g, encodeURIComponent);
}

/** The value of the first header of a name in lower case. */
export function valueOf(headers: readonly HeaderLine[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

type Shown = Pick<StoredResponse, 'status' | 'statusText' | 'headers'>;

/**
 * A replayed request is neither conditional nor for a range: a 304 is the cached response that it confirmed, and a range that covers the
 * whole is that whole. Undefined: other ranges, and a 304 without the cached body.
 */
function replayableStatus({ status, statusText, headers, body }: ArchivedResponse): Shown | undefined {
  // Blocked, or informational.
  if (status < 200) return undefined;
  if (status === 304) return body.state === 'complete' && body.bytes > 0 ? { status: 200, statusText: 'OK', headers } : undefined;
  if (status !== 206) return { status, statusText: statusText || reasonPhrase(status), headers };
  const [, last, size] = /^bytes\s+0-(\d+)\/(\d+)$/i.exec(valueOf(headers, 'content-range')?.trim() ?? '') ?? [];
  if (last === undefined || BigInt(last) + 1n !== BigInt(size ?? 0)) return undefined;
  return { status: 200, statusText: 'OK', headers: headers.filter(({ name }) => name.toLowerCase() !== 'content-range') };
}

/** Undefined: none of the body was recorded, and it is not known to have been cut by its server. */
function storedBody(body: ArchivedBody, failure: ArchivedExchange['failure']): Pick<StoredResponse, 'body' | 'truncated'> | undefined {
  if (body.state === 'none') return { body: undefined, truncated: undefined };
  if (body.state === 'complete') return { body: body.bytes === 0 ? undefined : body, truncated: undefined };
  const truncated = truncationOf(body, failure);
  if (truncated === undefined || (body.bytes === 0 && (truncated !== 'disconnect' || failure === undefined))) return undefined;
  return { body: body.bytes === 0 ? undefined : body, truncated };
}

/** Undefined: the body is complete or absent. */
export function truncationOf({ state }: ArchivedBody, failure: ArchivedExchange['failure']): Truncation | undefined {
  if (state === 'truncated') return 'length';
  if (state !== 'partial') return undefined;
  return failure?.unfinished === true || failure?.canceled === true ? 'time' : 'disconnect';
}

function isSame(location: string, url: string): boolean {
  return URL.canParse(location, url) && targetUri(new URL(location, url).href) === new URL(url).href;
}

/** Reason phrases of RFC 9110 (15), RFC 4918, RFC 6585 and RFC 7725: HTTP/2 and HTTP/3 have none. */
const PHRASES: Readonly<Record<number, string>> = {
  ...{ 200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content' },
  ...{ 207: 'Multi-Status', 300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other' },
  ...{ 307: 'Temporary Redirect', 308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required' },
  ...{ 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 407: 'Proxy Authentication Required' },
  ...{ 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed' },
  ...{ 413: 'Content Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable' },
  ...{ 417: 'Expectation Failed', 421: 'Misdirected Request', 422: 'Unprocessable Content', 423: 'Locked', 424: 'Failed Dependency' },
  ...{ 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large' },
  ...{ 451: 'Unavailable For Legal Reasons', 500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway' },
  ...{ 503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported', 507: 'Insufficient Storage' },
};

/** Empty for an unknown status. */
function reasonPhrase(status: number): string {
  return PHRASES[status] ?? '';
}
