/** Reasons for which browsers reject a data URL: they show an error page instead of its content. */
export type DataUrlFault = 'no_comma' | 'base64';

/** Why browsers would not load a data URL ("data: URL processor" of the Fetch standard); undefined if they would. */
export function faultOfDataUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): DataUrlFault | undefined {
  const content = pathname + search;
  const comma = content.indexOf(',');
  if (comma === -1) return 'no_comma';
  if (!/; *base64\s*$/i.test(content.slice(0, comma))) return undefined;
  return isBase64(unescapeBytes(content.slice(comma + 1))) ? undefined : 'base64';
}

function unescapeBytes(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** "Forgiving-base64 decode" of the Infra standard, without the decoding. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\t\n\f\r ]/g, '');
  const bare = digits.length % 4 === 0 ? digits.replace(/={1,2}$/, '') : digits;
  return bare.length % 4 !== 1 && /^[A-Za-z\d+/]*$/.test(bare);
}
