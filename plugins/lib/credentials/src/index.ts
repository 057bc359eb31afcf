/**
 * Identifies clients by their `Authorization` header, for plugins of authentication: `readCredential`, `decodeBasic`, and a keyring that
 * compares digests in constant time with every configured secret. `reloadKeyring` applies changed secrets; a list that became empty leaves
 * the former secrets active.
 *
 * @packageDocumentation
 */

import { PlatenError } from '@platen/kernel';
import type { Key } from './keyring.js';

export {
  createKeyring,
  createReread,
  reloadKeyring,
  type Key,
  type Keyring,
  type ReloadHooks,
  type ReloadKeyringOptions,
  type Reread,
  type RereadOptions,
} from './keyring.js';

/** The parsed `Authorization` header (RFC 9110, 11.6.2). */
export interface Credential {
  /** In lower case: schemes are case-insensitive. Empty if the header is malformed, so that no scheme matches. */
  readonly scheme: string;
  readonly text: string;
}

const MALFORMED: Credential = { scheme: '', text: '' };

/** The credential of a request; undefined without such a header. Several such headers are rejected as ambiguous. */
export function readCredential(header: string | readonly string[] | undefined): Credential | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string') return MALFORMED;
  const [, scheme, text] = /^([\w!#$%&'*+.^`|~-]+) +([\x21-\x7e]+)$/.exec(header) ?? [];
  return scheme === undefined || text === undefined ? MALFORMED : { scheme: scheme.toLowerCase(), text };
}

/** Why a credential header was rejected. These names are also metric labels; there are no others. */
export type CredentialErrorReason = 'missing_credential' | 'wrong_credential';

/** The 401 error for a request whose header is missing or wrong; its response also needs a challenge. `expected` describes what to send. */
export function credentialError(reason: CredentialErrorReason, expected: string): PlatenError {
  const text =
    reason === 'missing_credential'
      ? `credentials are required: send the header "Authorization: ${expected}"`
      : `the "Authorization" header contains no valid credential: send "${expected}" with a credential of this server`;
  return new PlatenError('unauthorized', text, { reason });
}

/** Health checks carry no credentials, and their response contains only counters. */
export function isHealthCheck({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return path === '/status' && (method === 'GET' || method === 'HEAD');
}

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
