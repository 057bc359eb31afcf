import { PlatenError } from '@platen/kernel';
import type { SignatureFault } from '@platen/server/signing';

/**
 * RFC 9110, 15.5.2: a 401 names a scheme. No registered scheme fits a signed query, and `Basic` would make browsers prompt for a
 * password that is not accepted.
 */
export const SIGNATURE_CHALLENGE = 'Signed-URL realm="Platen"';

const TEXTS: Readonly<Record<SignatureFault, string>> = {
  missing_signature: 'the URL must be signed: the query requires "expires" and "signature"',
  bad_signature:
    'the signature does not match: it must be the HMAC-SHA256, in lower-case hex, of all other query parameters, sorted by key and value and form-encoded; "expires" and "signature" must occur once',
  missing_expires: 'the signed query requires "expires", a Unix time in whole seconds',
  expired: 'the signed URL has expired',
  expires_too_far: '"expires" is later than this server allows',
};

/** 401 for a credential header on a server that accepts only signatures. The signature is not checked. */
export function refuseHeader(): PlatenError {
  const text = 'the "Authorization" header is not accepted: this server requires signed URLs, sent without it';
  return new PlatenError('unauthorized', text, { reason: 'wrong_credential' });
}

/** 401 for a missing signature, 403 for an invalid one. */
export function refuseSignature(reason: SignatureFault): PlatenError {
  return new PlatenError(reason === 'missing_signature' ? 'unauthorized' : 'forbidden', TEXTS[reason], { reason });
}
