import { invalidParameter, type InterceptedRequest } from '@platen/kernel';

/** Headers by the name in the request. */
export type TargetHeaders = ReadonlyMap<string, string>;

/** Headers for message framing or the connection, or controlled by the browser (Fetch standard, "forbidden request-header"). */
const FORBIDDEN = new Set([
  'access-control-request-headers',
  'access-control-request-method',
  'connection',
  'content-length',
  'cookie2',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Parses `Name: Value` items (RFC 9110, 5.1 and 5.5). Throws a 400 that names the item and never quotes its value. */
export function parseHeaders(items: readonly string[], target: URL): TargetHeaders {
  const headers = new Map<string, string>();
  if (items.length > 0 && target.origin === 'null') throw invalidParameter('header', '"header" cannot be sent: a data: URL has no origin');
  for (const [index, item] of items.entries()) {
    const fail = (detail: string): never => {
      throw invalidParameter('header', `"header[${String(index)}]" ${detail}`);
    };
    const colon = item.indexOf(':');
    const name = item.slice(0, Math.max(0, colon));
    const value = item.slice(colon + 1).replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) fail('must have the form "Name: Value"');
    // HTTP treats characters outside ASCII as opaque bytes (RFC 9110, 5.5); send them as UTF-8.
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) fail('must not contain control characters in its value');
    if (/\p{Surrogate}/u.test(value)) fail('must not contain an unpaired surrogate in its value');
    const lower = name.toLowerCase();
    if (FORBIDDEN.has(lower) || /^(?:sec|proxy)-/.test(lower)) fail(`must not be "${name}": that header is the browser's own`);
    if (lower === 'cookie') fail('must not be "Cookie": use the parameter "cookie"');
    set(headers, name, [valueOf(headers, name), value].filter((part) => part !== undefined).join(', '));
  }
  return headers;
}

const USER_AGENT = 'User-Agent';

/** The user agent in the headers. It applies to the browser, so to every request and script. */
export function userAgentOf(headers: TargetHeaders): string | undefined {
  return valueOf(headers, USER_AGENT);
}

/** Whether the headers set the languages for the target. */
export function hasAcceptLanguage(headers: TargetHeaders): boolean {
  return spelling(headers, 'Accept-Language') !== undefined;
}

/** The headers to add to requests: all except the user agent, which the browser sends itself. */
export function addedHeaders(headers: TargetHeaders): TargetHeaders {
  const known = spelling(headers, USER_AGENT);
  return new Map([...headers].filter(([name]) => name !== known));
}

/** Adds the headers to requests to the target's origin; other requests stay unchanged. */
export function withHeaders(request: Pick<InterceptedRequest, 'url' | 'headers'>, headers: TargetHeaders, origin: string): undefined {
  if (request.url.origin !== origin) return;
  for (const [name, value] of headers) set(request.headers, name, value);
}

function set(headers: Map<string, string>, name: string, value: string): void {
  const known = spelling(headers, name);
  if (known !== undefined) headers.delete(known);
  headers.set(name, value);
}

function valueOf(headers: ReadonlyMap<string, string>, name: string): string | undefined {
  return headers.get(spelling(headers, name) ?? name);
}

function spelling(headers: ReadonlyMap<string, string>, name: string): string | undefined {
  return [...headers.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
}
