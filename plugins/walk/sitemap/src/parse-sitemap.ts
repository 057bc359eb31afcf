import { inflate } from './inflate.js';
import { ENTRIES_BY_PROTOCOL, SITEMAP_LIMITS, SitemapError, type SitemapLimits } from './limits.js';
import { type RawEntry, readXml } from './read-xml.js';

/** `auto` and `xml` read XML: a plain-text list is read only if it is said to be one, because any text would pass for it. */
export type SitemapFormat = 'auto' | 'xml' | 'text';

export interface SitemapEntry {
  /** `sitemap`: another one, of an index. */
  readonly kind: 'url' | 'sitemap';
  /** Absolute, http: or https:. */
  readonly url: string;
  /** As written: a W3C date and time. */
  readonly lastModified?: string;
}

export interface SitemapOptions {
  /** Of the sitemap: relative URLs are resolved against it. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly format: SitemapFormat;
  readonly limits?: Partial<SitemapLimits>;
  /** Called once for each kind of problem that does not end the reading. */
  readonly onWarning?: (warning: string) => void;
}

/**
 * Streams the entries of a sitemap (https://www.sitemaps.org/protocol.html): XML, gzip or not, or a list with a URL a line. It reads on only
 * as entries are asked for, and ends the body if it is ended.
 *
 * @throws SitemapError with the reason if the body is none, is damaged, or exceeds a limit; entries before that are valid.
 */
export async function* parseSitemap(body: AsyncIterable<Buffer>, options: SitemapOptions): AsyncGenerator<SitemapEntry> {
  const limits = { ...SITEMAP_LIMITS, ...options.limits };
  const warn = createWarner(options.onWarning);
  const text = decode(inflate(body, limits), options.contentType);
  const raw = options.format === 'text' ? readLines(checkList(text), limits) : readXml(checkMarkup(text, options), limits);
  let count = 0;
  for await (const { kind, location, lastModified } of raw) {
    count += 1;
    if (count === ENTRIES_BY_PROTOCOL + 1) warn('entries', 'it has more than the 50,000 entries that the protocol allows');
    const url = location.length > limits.urlLength ? undefined : resolve(location, options.url);
    if (url !== undefined) yield { kind, url, ...(lastModified !== undefined && { lastModified }) };
    else if (location.length > limits.urlLength) warn('length', `an entry has more than ${limits.urlLength} characters`);
    else warn('url', `an entry is no http(s) URL: ${quote(location)}`);
  }
}

function createWarner(onWarning: SitemapOptions['onWarning']): (kind: string, warning: string) => void {
  const warned = new Set<string>();
  return (kind, warning) => {
    if (!warned.has(kind)) onWarning?.(warning);
    warned.add(kind);
  };
}

function resolve(location: string, base: string): string | undefined {
  // Prose would pass for a relative URL.
  const isProse = /\s/.test(location) && !/^https?:/i.test(location);
  if (location === '' || isProse || !URL.canParse(location, base)) return undefined;
  const { href, protocol } = new URL(location, base);
  return /^https?:$/.test(protocol) ? href : undefined;
}

/** XML begins with `<`. */
async function* checkMarkup(text: AsyncIterable<string>, { url, contentType, format }: SitemapOptions): AsyncGenerator<string> {
  let isChecked = false;
  for await (const piece of text) {
    const start = piece.trimStart();
    if (!isChecked && start !== '' && !start.startsWith('<')) {
      const type = contentType === undefined ? '' : ` of Content-Type ${quote(contentType)}`;
      const isList = format === 'auto' && (/^https?:|^#/.test(start) || /\.txt$/i.test(url.split(/[?#]/, 1)[0] ?? ''));
      const hint = isList ? ': a plain-text list must be declared with the format "text"' : '';
      throw new SitemapError(`it is no XML: it begins with ${quote(start)}${type}${hint}`);
    }
    isChecked ||= start !== '';
    yield piece;
  }
  if (!isChecked) throw new SitemapError('it is empty');
}

async function* checkList(text: AsyncIterable<string>): AsyncGenerator<string> {
  let isChecked = false;
  for await (const piece of text) {
    const start = piece.trimStart();
    if (!isChecked && /^<(?:!doctype\s+)?html/i.test(start)) throw new SitemapError('it is an HTML page, not a list of URLs');
    if (!isChecked && start.startsWith('<'))
      throw new SitemapError(`it is XML or HTML, not a list of URLs: it begins with ${quote(start)}`);
    isChecked ||= start !== '';
    yield piece;
  }
}

/** The beginning of a text, with escapes for unprintable characters. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** One URL a line, trimmed. Blank lines and those that begin with `#` are skipped. Of a line that is too long, only the beginning is read. */
async function* readLines(text: AsyncIterable<string>, { urlLength }: SitemapLimits): AsyncGenerator<RawEntry> {
  let open = '';
  for await (const piece of text) {
    const lines = piece.split(/[\r\n]/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield* entryOf(open + line);
      open = '';
    }
    if (open.length <= urlLength) open += last;
  }
  yield* entryOf(open);
}

function* entryOf(line: string): Generator<RawEntry> {
  const location = line.trim();
  if (location !== '' && !location.startsWith('#')) yield { kind: 'url', location };
}

/**
 * The text of a content whose first piece holds its head. The encoding is, in this order (RFC 7303, 3): that of the byte order mark, of the
 * charset of the Content-Type, of the XML declaration; UTF-8 else. The mark is dropped, and malformed bytes become U+FFFD.
 *
 * @throws SitemapError if the XML declaration has an unknown encoding.
 */
async function* decode(pieces: AsyncIterable<Buffer>, contentType: string | undefined): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(detectEncoding(piece, contentType));
    const text = decoder.decode(piece, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder?.decode() ?? '';
  if (rest !== '') yield rest;
}

function detectEncoding(head: Buffer, contentType = ''): string {
  const marked = encodingOfBytes(head);
  if (marked !== undefined) return marked;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  if (charset !== undefined && isKnown(charset)) return inBytes(charset);
  const declared = /^\s*<\?xml\s[^>]{0,500}?\bencoding\s*=\s*["']([^"']{1,100})["']/.exec(head.toString('latin1'))?.[1];
  if (declared === undefined) return 'utf-8';
  if (!isKnown(declared)) throw new SitemapError(`its XML declaration has the unknown encoding ${JSON.stringify(declared)}`);
  return inBytes(declared);
}

/** By the byte order mark, or by `<` in UTF-16 (XML 1.0, appendix F.1). */
function encodingOfBytes([a, b, c]: Buffer): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return undefined;
}

/** Text that was read byte by byte cannot be UTF-16, whatever it declares. */
function inBytes(label: string): string {
  return /^(?:utf-?16|ucs-?2|unicode)/i.test(label) ? 'utf-8' : label;
}

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}
