import type { ErrorCode, ServerApi } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Value of the label `format` without an output type: `/status`, or a request refused before validation. */
export const NO_FORMAT = 'none';

/** Seconds: from a cached response to a long video. */
export const DURATION_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;

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

/** Series that every request adds to, renders or not. */
export interface RequestSeries {
  record(record: RequestRecord): void;
}

export function createRequestSeries(registry: Registry, { openEndpoints }: Pick<ServerApi, 'openEndpoints'>): RequestSeries {
  const http = createHttpSeries(registry, openEndpoints);
  const registers = [registry];
  const requests = new Counter({
    name: 'svc_requests_total',
    help: 'Completed requests, by endpoint, output type and outcome.',
    labelNames: ['endpoint', 'format', 'outcome'],
    registers,
  });
  const authFailures = new Counter({
    name: 'svc_auth_failures_total',
    help: 'Requests refused by authentication, by reason.',
    labelNames: ['endpoint', 'format', 'reason'],
    registers,
  });
  const errors = new Counter({
    name: 'svc_errors_total',
    help: 'Failed requests, by error code.',
    labelNames: ['code'],
    registers,
  });
  const identities = new Counter({
    name: 'svc_requests_by_identity_total',
    help: 'Authenticated requests, by the configured name of the credential and outcome.',
    labelNames: ['identity', 'outcome'],
    registers,
  });
  const bytes = new Counter({
    name: 'svc_response_bytes_total',
    help: 'Bytes of response bodies sent.',
    labelNames: ['endpoint', 'format'],
    registers,
  });
  return {
    record(record) {
      const { endpoint, format = NO_FORMAT, code, identity } = record;
      const outcome = outcomeOf(record);
      if (isHttp(endpoint)) http.record(record);
      requests.inc({ endpoint, format, outcome });
      // Not the renders of plugins, which are part of such a request.
      if (identity !== undefined && isHttp(endpoint)) identities.inc({ identity, outcome });
      bytes.inc({ endpoint, format }, record.bytes);
      if (code !== undefined) errors.inc({ code });
      const reason = authFailureOf(record);
      if (reason !== undefined) authFailures.inc({ endpoint, format, reason });
    },
  };
}

/** The HTTP layer: `svc_http_requests_*`, by the conventions of HTTP exporters. */
function createHttpSeries(registry: Registry, openEndpoints: ServerApi['openEndpoints']): RequestSeries {
  const registers = [registry];
  const total = new Counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests answered.',
    labelNames: ['method', 'endpoint', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'svc_http_requests_duration_seconds',
    help: 'Duration of HTTP requests, from the request header to the end of the response.',
    labelNames: ['method', 'endpoint', 'status'],
    buckets: [...DURATION_BUCKETS],
    registers,
  });
  new Gauge({
    name: 'svc_http_requests_pending',
    help: 'HTTP requests in flight, including the scrape itself.',
    labelNames: ['method', 'endpoint'],
    registers,
    collect() {
      this.reset();
      for (const endpoint of openEndpoints().filter(isHttp)) this.inc({ method: methodOf(endpoint), endpoint });
    },
  });
  return {
    record({ endpoint, status, durationMs }) {
      const labels = { method: methodOf(endpoint), endpoint, status };
      total.inc(labels);
      duration.observe(labels, durationMs / 1000);
    },
  };
}

/** A render that a plugin requests is no HTTP request, but may be part of one. */
function isHttp(endpoint: string): boolean {
  return endpoint === 'other' || endpoint.includes(' /');
}

/** `GET /assets` -> `GET`. Without an endpoint, clients could send any method: it is `other`. */
function methodOf(endpoint: string): string {
  return endpoint.split(' ', 1)[0] ?? endpoint;
}

/** How requests end, as `svc_requests_total` counts them. */
type Outcome = 'success' | 'client_error' | 'rejected' | 'aborted' | 'target_error' | 'timeout' | 'server_error';

function outcomeOf({ status, code }: Pick<RequestRecord, 'status' | 'code'>): Outcome {
  const known = code === undefined ? undefined : BY_CODE[code];
  if (known !== undefined) return known;
  if (status >= 500) return 'server_error';
  return status >= 400 ? 'client_error' : 'success';
}

/** Undefined unless the request failed authentication; `other` for unknown reasons. */
function authFailureOf({ error }: Pick<RequestRecord, 'error'>): string | undefined {
  if (error === undefined || (error.code !== 'unauthorized' && error.code !== 'forbidden')) return undefined;
  return AUTH_REASONS.find((reason) => reason === error.details.reason) ?? 'other';
}
