import type { ErrorCode } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';

/** How requests end, as `svc_requests_total` counts them. */
export type Outcome = 'success' | 'client_error' | 'rejected' | 'aborted' | 'target_error' | 'timeout' | 'server_error';

/** Codes with an outcome different from that of their status: alerts depend on which side failed. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, Outcome>>> = {
  unauthorized: 'rejected',
  forbidden: 'rejected',
  origin_refused: 'rejected',
  license_required: 'rejected',
  too_many_requests: 'rejected',
  overloaded: 'rejected',
  draining: 'rejected',
  client_closed: 'aborted',
  target_status: 'target_error',
  target_unreachable: 'target_error',
  target_not_page: 'target_error',
  page_crashed: 'target_error',
  render_timeout: 'timeout',
};

export function outcomeOf({ status, code }: Pick<RequestRecord, 'status' | 'code'>): Outcome {
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'success';
}

/** Reasons of the authentication plugins for refused credentials. */
const AUTH_REASONS = [
  'missing_credential',
  'wrong_credential',
  'missing_signature',
  'bad_signature',
  'missing_expires',
  'expired',
  'expires_too_far',
] as const;

/** Undefined unless the request failed authentication; `other` for unknown reasons. */
export function authFailureOf({ error }: Pick<RequestRecord, 'error'>): string | undefined {
  if (error === undefined || (error.code !== 'unauthorized' && error.code !== 'forbidden')) return undefined;
  return AUTH_REASONS.find((reason) => reason === error.details.reason) ?? 'other';
}
