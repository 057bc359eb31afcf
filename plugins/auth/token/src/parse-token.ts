import type { Key } from '@platen/lib-credentials';

/**
 * `TOKEN`, `NAME:TOKEN` or `:TOKEN`. A token of RFC 6750 contains no colon but may end in equals signs: the first colon ends the
 * name. A header value is printable ASCII without spaces.
 */
export const TOKEN_PATTERN = String.raw`^(?:(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?:[\x21-\x7e]+|[\x21-\x39\x3b-\x7e]+)$`;

/** Parses a value that matches `TOKEN_PATTERN`. Without a name the identity is `token-1`, by position. */
export function parseToken(text: string, index: number): Key {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at));
  return { identity: name === '' ? `token-${String(index + 1)}` : name, secret: text.slice(at + 1) };
}
