import { ERRORS, isPlatenError, isRetryable, type MissingAsset, PlatenError, type ErrorCode } from '@platen/kernel';

/** An error document (RFC 9457) with Platen's extension members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request's id. */
  readonly instance: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly errors?: PlatenError['details']['errors'];
  readonly target?: PlatenError['details']['target'];
  readonly phase?: string;
  readonly unmet?: string;
  readonly report?: PlatenError['details']['report'];
  /** Additional assets of the failed render. */
  readonly assets?: readonly { readonly name: string; readonly url: string; readonly content_type: string; readonly bytes: number }[];
  readonly missing_assets?: readonly MissingAsset[];
}

/** Seconds of `Retry-After` if the error sets none: a slot becomes free within a render, a browser or a new instance needs longer. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 5 };

/** Maximum characters of a target's URL in a problem document. */
const MAX_TARGET_URL = 2000;

const UNSAID = 'the server failed; its log contains the cause, under this request id';

/** Converts every thrown value to an error of the table. */
export function toPlatenError(error: unknown): PlatenError {
  if (isPlatenError(error)) return error;
  return new PlatenError('internal', 'unexpected error', { cause: error });
}

export function toProblem(error: PlatenError, requestId: string): Problem {
  const { errors, target, phase, unmet, report, retryable = isRetryable(error.code) } = error.details;
  return {
    type: `urn:platen:problem:${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail: error.expose ? error.message : UNSAID,
    instance: requestId,
    code: error.code,
    retryable,
    ...(errors === undefined ? {} : { errors }),
    ...(target === undefined ? {} : { target: { ...target, url: shorten(target.url) } }),
    ...(phase === undefined ? {} : { phase }),
    ...(unmet === undefined ? {} : { unmet }),
    ...(report === undefined ? {} : { report }),
  };
}

/** A data URL is a whole document; its beginning identifies it. */
function shorten(url: string): string {
  return url.length > MAX_TARGET_URL ? `${url.slice(0, MAX_TARGET_URL)}…` : url;
}

/** Headers that go with a problem's status. */
export function problemHeaders(error: PlatenError): Readonly<Record<string, string>> {
  const { allow, retry_after = RETRY_AFTER[error.status] } = error.details;
  return {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(allow === undefined ? {} : { Allow: allow.join(', ') }),
    ...(retry_after === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retry_after))) }),
  };
}
