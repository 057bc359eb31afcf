import { PlatenError } from '@platen/kernel';

/** Why a credential header was rejected. These names are also metric labels; there are no others. */
export type CredentialFault = 'missing_credential' | 'wrong_credential';

/** The 401 error for a request whose header is missing or wrong; its response also needs a challenge. `expected` describes what to send. */
export function credentialError(reason: CredentialFault, expected: string): PlatenError {
  const text =
    reason === 'missing_credential'
      ? `credentials are required: send the header "Authorization: ${expected}"`
      : `the "Authorization" header lets nobody in: send one, as "${expected}", with a credential of this server`;
  return new PlatenError('unauthorized', text, { reason });
}

/** Health checks carry no credentials, and their response contains only counters. */
export function isHealthCheck({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return path === '/status' && (method === 'GET' || method === 'HEAD');
}
