import { targetUri, valueOf, type StoredResponse } from './choose-response.js';
import type { ArchivedRequest, HeaderLine } from './exchange.js';

/** Codings that a stored body no longer has: readers would decode it again. */
const CODINGS: ReadonlySet<string> = new Set(['content-encoding', 'transfer-encoding']);

/**
 * Status line and headers of a stored response, up to and including the empty line.
 *
 * @param bytes of its body, as stored; undefined: it never has one, and its length is that of another response (HEAD)
 */
export function responseHead({ status, statusText, headers }: StoredResponse, bytes: number | undefined): Buffer {
  const renamed = headers.map(({ name, value }) => ({
    name: CODINGS.has(name.toLowerCase()) ? `x-orig-${name.toLowerCase()}` : name,
    value,
  }));
  return encodeHead(`HTTP/1.1 ${String(status)} ${statusText}`, bytes === undefined ? renamed : withLength(renamed, bytes));
}

/**
 * Request line and headers as HTTP/1.1, up to and including the empty line.
 *
 * @param bytes of its body, as stored
 */
export function requestHead({ method, url, headers }: ArchivedRequest, bytes: number): Buffer {
  const host = valueOf(headers, 'host') ?? valueOf(headers, ':authority') ?? hostOf(url);
  const complete = valueOf(headers, 'host') === undefined ? [{ name: 'Host', value: host }, ...headers] : headers;
  const isStated = bytes > 0 || valueOf(headers, 'content-length') !== undefined;
  return encodeHead(`${method} ${pathOf(url)} HTTP/1.1`, isStated ? withLength(complete, bytes) : complete);
}

/** One `Content-Length`, in the place of the first. */
function withLength(headers: readonly HeaderLine[], bytes: number): readonly HeaderLine[] {
  const isLength = ({ name }: HeaderLine) => name.toLowerCase() === 'content-length';
  const first = headers.find(isLength);
  const line = { name: first?.name ?? 'Content-Length', value: String(bytes) };
  if (!first) return [...headers, line];
  return headers.flatMap((header) => (header === first ? [line] : isLength(header) ? [] : [header]));
}

/**
 * UTF-8, which readers of WARC files try first. A line that is not a header, such as a pseudo-header of HTTP/2, is omitted, and a value
 * cannot end its line.
 */
function encodeHead(firstLine: string, headers: readonly HeaderLine[]): Buffer {
  const lines = headers.filter(({ name }) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)).map(({ name, value }) => `${name}: ${onOneLine(value)}`);
  return Buffer.from([onOneLine(firstLine), ...lines, '', ''].join('\r\n'));
}

/** Text without control characters that end or break a line. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ').trim();
}

/** Path and query, cut out instead of parsed: browsers request hosts that `URL` rejects. */
function pathOf(url: string): string {
  const path = targetUri(url).replace(/^[^:]+:\/\/[^/?]*/, '');
  return `${path.startsWith('/') ? '' : '/'}${path}`;
}

function hostOf(url: string): string {
  return /^[^:]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(url)?.[1] ?? '';
}
