import { PlatenError } from '@platen/kernel';

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
