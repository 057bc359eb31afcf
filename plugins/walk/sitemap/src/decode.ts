import { SitemapError } from './sitemap-error.js';

/**
 * The text of a content whose first piece holds its head. The encoding is, in this order (RFC 7303, 3): that of the byte order mark, of the
 * charset of the Content-Type, of the XML declaration; UTF-8 else. The mark is dropped, and malformed bytes become U+FFFD.
 *
 * @throws SitemapError if the XML declaration has an unknown encoding.
 */
export async function* decode(pieces: AsyncIterable<Buffer>, contentType: string | undefined): AsyncGenerator<string> {
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
