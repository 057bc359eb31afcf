import type { Key } from './keyring.js';

/** `USER:PASSWORD`, the first colon parts them; neither holds control characters (RFC 7617, 2). Without a password there is no secret. */
export const USER_PATTERN = String.raw`^[^:\p{Cc}]*:[^\p{Cc}]+$`;

/** The challenge of a server that takes Basic credentials (RFC 7617, 2 and 2.1). */
export const BASIC_CHALLENGE = 'Basic realm="Platen", charset="UTF-8"';

/** What `USER_PATTERN` lets pass, as a key: the user is the identity, `user-1` (its place in the list) where it has no name. */
export function parseUser(text: string, index: number): Key {
  const name = text.slice(0, text.indexOf(':'));
  return { identity: name === '' ? `user-${String(index + 1)}` : name, secret: text.normalize('NFC') };
}

/**
 * The `user:password` of a Basic credential, composed as RFC 7617 asks for; undefined where it is not base64 (RFC 4648, 4; padding
 * may be missing) of UTF-8.
 */
export function decodeBasic(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is no base64: what is left must be all there was.
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={1,2}$/, '')) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).normalize('NFC');
  } catch {
    return undefined;
  }
}
