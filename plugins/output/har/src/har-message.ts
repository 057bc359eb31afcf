import { buffer } from 'node:stream/consumers';
import type { Exchange, ExchangeBody, HeaderLine } from '@platen/plugin-network';
import type { Content, Cookie, Param, Request, Response } from 'har-format';
import { jsonBase64, jsonObject, type JsonPieces, jsonText } from './json-stream.js';

/** Forms up to this size are parsed. */
const LARGEST_FORM = 1024 * 1024;
const NO_TYPE = 'x-unknown';
const NO_VERSION = 'unknown';

export async function* harRequest({ request, response }: Exchange): AsyncGenerator<string> {
  const { method, headers, body } = request;
  const url = request.url.replace(/#.*/, '');
  const fields: Omit<Request, 'postData'> = {
    method,
    url,
    httpVersion: versionOf(response?.protocol),
    cookies: sentCookies(headers),
    headers: headers.map(({ name, value }) => ({ name, value })),
    queryString: [...new URLSearchParams(/\?.*/s.exec(url)?.[0])].map(([name, value]) => ({ name, value })),
    headersSize: request.rawHeaders && response?.protocol === 'http/1.1' ? sizeOf(`${method} ${pathOf(url)} HTTP/1.1`, headers) : -1,
    bodySize: body === undefined ? 0 : body.state === 'complete' ? body.bytes : -1,
  };
  yield* jsonObject(fields, { postData: body && (await postData(body, valueOf(headers, 'content-type') ?? '')) });
}

/**
 * Both the text and, for a form, its fields: readers differ in which they use. `encoding` is defined for a response's content: replay tools
 * look for it here, too.
 */
async function postData(body: ExchangeBody, mimeType: string): Promise<JsonPieces> {
  const params = body.bytes <= LARGEST_FORM ? postedParams(mimeType, await buffer(body.open())) : undefined;
  const fields = { mimeType, ...(params ? { params } : {}), ...(body.utf8 ? {} : { encoding: 'base64' }), ...commentOf(body) };
  return jsonObject(fields, { text: body.utf8 ? jsonText(body.open()) : jsonBase64(body.open()) });
}

/** `bodies`: whether the body is requested; the record may contain it for another output. */
export async function* harResponse({ response, failure }: Exchange, { bodies }: { readonly bodies: boolean }): AsyncGenerator<string> {
  const isCut = response?.body.state === 'partial' && !failure;
  const failed = isCut
    ? { _error: 'the body is incomplete' }
    : failure
      ? { _error: failure.netError, ...(failure.reason === undefined ? {} : { _errorReason: failure.reason }) }
      : {};
  if (!response) {
    const none: Response & { readonly _transferSize: number } = {
      status: 0,
      statusText: '',
      httpVersion: NO_VERSION,
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: NO_TYPE },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _transferSize: 0,
    };
    yield JSON.stringify({ ...none, ...failed });
    return;
  }
  const { headers } = response;
  const body = bodies || response.body.state === 'none' ? response.body : { ...response.body, state: 'not-requested' as const };
  const bodySize = bodySizeOf(response);
  const fields: Omit<Response, 'content'> & { readonly _transferSize: number } = {
    status: response.status,
    statusText: response.statusText,
    httpVersion: versionOf(response.protocol),
    cookies: setCookies(headers),
    headers: headers.map(({ name, value }) => ({ name, value })),
    redirectURL: response.redirectUrl ?? '',
    headersSize: response.headerBytes ?? -1,
    bodySize,
    _transferSize: response.transferBytes ?? -1,
  };
  const content: Content = {
    size: body.seen,
    mimeType: valueOf(headers, 'content-type') ?? (response.mimeType || NO_TYPE),
    ...(isCoded(response) && bodySize >= 0 && body.seen > bodySize ? { compression: body.seen - bodySize } : {}),
    ...commentOf(body),
  };
  yield* jsonObject({ ...fields, ...failed }, { content: harContent(content, body) });
}

function harContent(content: Content, body: ExchangeBody): JsonPieces {
  if (['none', 'not-requested', 'missing'].includes(body.state)) return [JSON.stringify(content)];
  const asText = body.utf8 && isText(content.mimeType);
  if (asText) return jsonObject(content, { text: jsonText(body.open()) });
  return jsonObject({ ...content, encoding: 'base64' }, { text: jsonBase64(body.open()) });
}

function commentOf({ state, bytes }: ExchangeBody): { readonly comment?: string } {
  if (state === 'truncated') return { comment: `truncated at ${String(bytes)}` };
  if (state === 'partial') return { comment: `partial: ${String(bytes)} bytes` };
  return state === 'missing' ? { comment: 'the browser did not store the body' } : {};
}

function isText(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|javascript|ecmascript)\b|x-www-form-urlencoded/i.test(mimeType);
}

/** Whether compression made the transfer smaller: a revalidated response has the headers of the earlier transfer. */
function isCoded({ servedFrom, status, headers }: NonNullable<Exchange['response']>): boolean {
  return servedFrom === 'network' && status !== 304 && valueOf(headers, 'content-encoding') !== undefined;
}

/** Bytes of the body on the wire: -1 if the protocol does not distinguish them from the headers. */
function bodySizeOf({ servedFrom, status, transferBytes, headerBytes }: NonNullable<Exchange['response']>): number {
  if (servedFrom !== 'network' || status === 304) return 0;
  return transferBytes === undefined || headerBytes === undefined ? -1 : Math.max(0, transferBytes - headerBytes);
}

/** In HTTP's own notation. */
function versionOf(protocol = ''): string {
  const known: Readonly<Record<string, string>> = { h2: 'HTTP/2', h3: 'HTTP/3' };
  return known[protocol] ?? (/^http\//i.test(protocol) ? protocol.toUpperCase() : NO_VERSION);
}

function sizeOf(firstLine: string, headers: readonly HeaderLine[]): number {
  return headers.reduce((sum, { name, value }) => sum + name.length + Buffer.byteLength(value) + 4, firstLine.length + 4);
}

/** Cut out instead of parsed: browsers request hosts that `URL` rejects. */
function pathOf(url: string): string {
  return url.replace(/^[^:]+:\/\/[^/?]*/, '');
}

function valueOf(headers: readonly HeaderLine[], wanted: string): string | undefined {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** The fields of a posted form; undefined if the type is not a form type. */
export function postedParams(mimeType: string, body: Buffer): Param[] | undefined {
  const [type = ''] = mimeType.split(';');
  if (type.trim().toLowerCase() === 'application/x-www-form-urlencoded') {
    return [...new URLSearchParams(body.toString('utf8'))].map(([name, value]) => ({ name, value }));
  }
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(mimeType);
  return boundary ? multipartParams(body, boundary[1] ?? boundary[2] ?? '') : undefined;
}

/** RFC 7578. File contents are only in the posted text. */
function multipartParams(body: Buffer, boundary: string): Param[] {
  // One character per byte, so that cutting loses nothing.
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    if (part.startsWith('--') || end < 0) return [];
    const head = utf8(part.slice(0, end));
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) return [];
    const fileName = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    const contentType = /^content-type:(.*\S)/im.exec(head)?.[1]?.trim();
    return {
      name: unescapeName(name),
      ...(fileName === undefined ? { value: utf8(part.slice(end + 4)) } : { fileName: unescapeName(fileName) }),
      ...(contentType === undefined ? {} : { contentType }),
    };
  });
}

/** The name as its author wrote it: browsers escape these three characters, but not the percent sign (HTML, multipart/form-data). */
function unescapeName(name: string): string {
  const characters: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
  return name.replace(/%22|%0D|%0A/g, (escape) => characters[escape] ?? escape);
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Cookies of a request (RFC 6265, 5.4). */
export function sentCookies(headers: readonly HeaderLine[]): Cookie[] {
  return named(headers, 'cookie')
    .flatMap((value) => value.split(';'))
    .flatMap((pair) => (pair.trim() === '' ? [] : [nameAndValue(pair)]));
}

/** Cookies of a response (RFC 6265, 5.2), one per line. */
export function setCookies(headers: readonly HeaderLine[]): Cookie[] {
  return named(headers, 'set-cookie').map(parseSetCookie);
}

function parseSetCookie(line: string): Cookie {
  const [pair = '', ...attributes] = line.split(';');
  const found = new Map(attributes.map((attribute) => nameAndValue(attribute)).map(({ name, value }) => [name.toLowerCase(), value]));
  const text = (name: 'path' | 'domain') => {
    const value = found.get(name);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  const sameSite = found.get('samesite');
  return {
    ...nameAndValue(pair),
    ...text('path'),
    ...text('domain'),
    ...expiry(found.get('expires')),
    httpOnly: found.has('httponly'),
    secure: found.has('secure'),
    ...(sameSite === undefined ? {} : { sameSite }),
  };
}

function expiry(expires: string | undefined): Pick<Cookie, 'expires'> {
  const date = new Date(expires ?? '');
  return Number.isNaN(date.getTime()) ? {} : { expires: date.toISOString() };
}

function nameAndValue(pair: string): { readonly name: string; readonly value: string } {
  const equals = pair.indexOf('=');
  if (equals < 0) return { name: pair.trim(), value: '' };
  return { name: pair.slice(0, equals).trim(), value: pair.slice(equals + 1).trim() };
}

function named(headers: readonly HeaderLine[], wanted: string): readonly string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}
