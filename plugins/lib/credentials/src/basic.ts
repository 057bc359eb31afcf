import type { Key } from './keyring.js';

/**
 * `USER:PASSWORD`, separated by the first colon; neither contains control characters (RFC 7617, 2). Without a password there is no secret.
 */
export const USER_PATTERN = String.raw`^[^:\p{Cc}]*:[^\p{Cc}]+$`;

/** The challenge of a server that takes Basic credentials (RFC 7617, 2 and 2.1). */
export const BASIC_CHALLENGE = 'Basic realm="Platen", charset="UTF-8"';

/** A value that matches `USER_PATTERN`, as a key: the user name is the identity, or `user-1` (its position in the list) if it is empty. */
export function parseUser(text: string, index: number): Key {
  const name = text.slice(0, text.indexOf(':'));
  return { identity: name === '' ? `user-${String(index + 1)}` : name, secret: text.normalize('NFC') };
}

/**
 * The `user:password` of a Basic credential as RFC 7617 encodes it; undefined if it is not base64 (RFC 4648, 4; padding is optional) of
 * UTF-8.
 */
export function decodeBasic(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node ignores invalid base64 characters: the result must encode to the whole input.
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={1,2}$/, '')) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes).normalize('NFC');
  } catch {
    return undefined;
  }
}
