/** The prefix that an operator may write before a shared secret: the only supported algorithm. */
const PREFIX = 'hmac-sha256:';

/** `SECRET` or `hmac-sha256:SECRET`; a prefix that names another algorithm is an error, not a part of the secret. */
export const SECRET_PATTERN = String.raw`^(?:hmac-sha256:.+|(?!hmac-[a-z0-9-]+:).+)$`;

/** The key of the HMAC. Throws a `TypeError` if the text is not a valid secret. */
export function toKey(secret: string): string {
  if (!new RegExp(SECRET_PATTERN, 'su').test(secret)) throw new TypeError('a secret is SECRET or hmac-sha256:SECRET, and not empty');
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
}
