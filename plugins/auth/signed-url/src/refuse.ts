import { PlatenError } from '@platen/kernel';
import type { SignatureFault } from '@platen/server/signing';

/**
 * RFC 9110, 15.5.2: a 401 names a scheme. No registered one means a signed query, and with `Basic` a browser would ask for a password
 * that opens nothing.
 */
export const SIGNATURE_CHALLENGE = 'Signed-URL realm="Platen"';

const TEXTS: Readonly<Record<SignatureFault, string>> = {
  missing_signature: 'the URL must be signed: the query needs "expires" and "signature"',
  bad_signature:
    'the signature does not match: it is HMAC-SHA256, as lower-case hex, of all other query parameters, sorted by key and value and form-encoded, and both it and "expires" are given once',
  missing_expires: 'the signed query needs "expires", a Unix time in whole seconds',
  expired: 'the signed URL has expired',
  expires_too_far: '"expires" lies further ahead than this server allows',
};

/** The 401 of a request with a credential header where no header lets anybody in: its signature is not looked at. */
export function refuseHeader(): PlatenError {
  const text = 'the "Authorization" header lets nobody in: this server takes signed URLs, sent without one';
  return new PlatenError('unauthorized', text, { reason: 'wrong_credential' });
}

/** 401 where there is no signature, 403 where there is one that does not hold. */
export function refuseSignature(reason: SignatureFault): PlatenError {
  return new PlatenError(reason === 'missing_signature' ? 'unauthorized' : 'forbidden', TEXTS[reason], { reason });
}
