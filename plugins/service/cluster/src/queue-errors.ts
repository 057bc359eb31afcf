import { type ErrorCode, isPlatenError, PlatenError } from '@platen/kernel';

const RETRY_AFTER_S = 5;

/** `host:port`: a queue's URL contains credentials. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === '' ? '6379' : port}`;
}

/** A fixed word of Node or Redis, such as `ECONNREFUSED` or `WRONGPASS`: messages may repeat what was sent. */
export function describeCause(thrown: unknown): string {
  const error = isPlatenError(thrown) ? thrown.cause : thrown;
  if (!(error instanceof Error)) return 'no reply';
  // A refused command ends its whole transaction.
  if ('previousErrors' in error && Array.isArray(error.previousErrors)) return describeCause(error.previousErrors[0]);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]{3,}\b/.exec(error.message)?.[0] ?? 'it closed the connection';
}

/** What an operator can do about it. */
export function adviseOn(cause: unknown): string {
  const word = describeCause(cause);
  if (/CERT|UNABLE_TO/.test(word)) return 'if a private authority has issued its certificate, set NODE_EXTRA_CA_CERTS to its file';
  if (word === 'NOPERM') return 'its user needs all commands except administrative ones on keys of Platen (~platen:* +@all -@admin)';
  return 'start Redis or Valkey there, or correct the address and its credentials';
}

/** For clients: the queue did not reply, or refused what it was given (`OOM`). */
export function queueDown(cause?: unknown): PlatenError {
  const isRefusal = cause instanceof Error && cause.name === 'ReplyError';
  const what = isRefusal ? `refuses jobs (${describeCause(cause)})` : 'is unreachable, so that no worker can be asked';
  return retryLater('browser_unavailable', `the queue of the cluster ${what}: retry later`, cause);
}

/** An error of the cluster that may be over in a moment. */
export function retryLater(code: ErrorCode, text: string, cause?: unknown): PlatenError {
  return new PlatenError(code, text, { retryable: true, retry_after: RETRY_AFTER_S, ...(cause === undefined ? {} : { cause }) });
}
