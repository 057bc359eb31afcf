import type { ServerApi } from '@platen/kernel';
import type { RequestRecord } from '@platen/server';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS, NO_FORMAT } from './labels.js';
import { authFailureOf, outcomeOf } from './outcome.js';

/** Series that every request adds to, renders or not. */
export interface RequestSeries {
  record(record: RequestRecord): void;
}

export function createRequestSeries(registry: Registry, { openEndpoints }: Pick<ServerApi, 'openEndpoints'>): RequestSeries {
  const http = createHttpSeries(registry, openEndpoints);
  const registers = [registry];
  const requests = new Counter({
    name: 'svc_requests_total',
    help: 'Requests answered, by endpoint, output type and how they ended.',
    labelNames: ['endpoint', 'format', 'outcome'],
    registers,
  });
  const authFailures = new Counter({
    name: 'svc_auth_failures_total',
    help: 'Requests refused for their credentials, by reason.',
    labelNames: ['endpoint', 'format', 'reason'],
    registers,
  });
  const errors = new Counter({
    name: 'svc_errors_total',
    help: 'Requests that failed, by the code of their problem document.',
    labelNames: ['code'],
    registers,
  });
  const identities = new Counter({
    name: 'svc_requests_by_identity_total',
    help: 'Requests that credentials let in, by the name that the operator gave to them, and how they ended.',
    labelNames: ['identity', 'outcome'],
    registers,
  });
  const bytes = new Counter({
    name: 'svc_response_bytes_total',
    help: 'Bytes of the bodies that were sent.',
    labelNames: ['endpoint', 'format'],
    registers,
  });
  return {
    record(record) {
      const { endpoint, format = NO_FORMAT, code, identity } = record;
      const outcome = outcomeOf(record);
      http.record(record);
      requests.inc({ endpoint, format, outcome });
      if (identity !== undefined) identities.inc({ identity, outcome });
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
    help: 'Time from the head of an HTTP request to the end of its answer.',
    labelNames: ['method', 'endpoint', 'status'],
    buckets: [...DURATION_BUCKETS],
    registers,
  });
  new Gauge({
    name: 'svc_http_requests_pending',
    help: 'HTTP requests under way, the one that asks included.',
    labelNames: ['method', 'endpoint'],
    registers,
    collect() {
      this.reset();
      for (const endpoint of openEndpoints()) this.inc({ method: methodOf(endpoint), endpoint });
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

/** `GET /assets` -> `GET`; of what no endpoint answers the method is anybody's word, so it is `other` too. */
function methodOf(endpoint: string): string {
  return endpoint.split(' ', 1)[0] ?? endpoint;
}
