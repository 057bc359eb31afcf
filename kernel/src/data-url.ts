/** The parts of a data: URL (RFC 2397). */
export interface DataUrl {
  /** With its parameters, without `base64`: empty if the URL has none. */
  readonly type: string;
  readonly isBase64: boolean;
  /** As in the URL, with percent escapes. */
  readonly data: string;
}

/** Reasons for which browsers reject a data URL: they show an error page instead of its content. */
export type DataUrlFault = 'no_comma' | 'base64';

/** Splits a data: URL at its first comma, in any letter case; undefined for other URLs, and without a comma. */
export function splitDataUrl(url: string): DataUrl | undefined {
  const [, head, data] = /^data:([^,]*),(.*)$/is.exec(url) ?? [];
  if (head === undefined || data === undefined) return undefined;
  const type = head.replace(/; *base64\s*$/i, '');
  return { type, isBase64: type !== head, data };
}

/** The content of a data: URL that browsers load, as they decode it. */
export function decodeDataUrl({ isBase64: isEncoded, data }: DataUrl): Buffer {
  const bytes = unescapeBytes(data);
  return isEncoded ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes;
}

/** Why browsers would not load a data URL ("data: URL processor" of the Fetch standard); undefined if they would. */
export function faultOfDataUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): DataUrlFault | undefined {
  const parts = splitDataUrl(`data:${pathname}${search}`);
  if (parts === undefined) return 'no_comma';
  return !parts.isBase64 || isBase64(unescapeBytes(parts.data).toString('latin1')) ? undefined : 'base64';
}

/** "Percent-decode" of the URL standard: what is not an escape stays. */
function unescapeBytes(text: string): Buffer {
  const pieces = text.split(/((?:%[\da-f]{2})+)/i);
  return Buffer.concat(
    pieces.map((piece, index) => (index % 2 === 0 ? Buffer.from(piece) : Buffer.from(piece.replaceAll('%', ''), 'hex'))),
  );
}

/** "Forgiving-base64 decode" of the Infra standard, without the decoding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r ]/g, '');
  const bare = digits.length % 4 === 0 ? digits.replace(/={1,2}$/, '') : digits;
  return bare.length % 4 !== 1 && /^[A-Za-z\d+/]*$/.test(bare);
}
