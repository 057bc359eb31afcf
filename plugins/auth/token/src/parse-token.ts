import type { Key } from '@platen/lib-credentials';

/**
 * `TOKEN`, `NAME:TOKEN` or `:TOKEN`. A token of RFC 6750 holds no colon, but may end in equals signs: so the first colon ends the
 * name. What is sent in a header is printable ASCII without blanks.
 */
export const TOKEN_PATTERN = String.raw`^(?:(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?:[\x21-\x7e]+|[\x21-\x39\x3b-\x7e]+)$`;

/** What `TOKEN_PATTERN` lets pass, as a key: without a name it is known as `token-1`, by its place in the list. */
export function parseToken(text: string, index: number): Key {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at));
  return { identity: name === '' ? `token-${String(index + 1)}` : name, secret: text.slice(at + 1) };
}
