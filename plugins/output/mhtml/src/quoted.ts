/** A soft line break of quoted-printable text (RFC 2045, 6.7). */
export const SOFT = '=\r\n';

/** The URL, or other text, in quoted-printable text of headers, style sheets and documents, across line breaks. */
export function quoted(text: string): RegExp {
  const characters = Array.from(text, (character) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&').replace('=', '=3D'));
  const pattern = characters.join('(?:=\\r\\n)?');
  return new RegExp(pattern.replaceAll('&', '&(?:(?:=\\r\\n)?a(?:=\\r\\n)?m(?:=\\r\\n)?p(?:=\\r\\n)?;)?'), 'g');
}
