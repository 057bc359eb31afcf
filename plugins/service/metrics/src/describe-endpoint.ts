import type { EndpointDescription } from '@platen/server';
import type { MetricsGuard } from './guard-metrics.js';
import { METRICS_PATH } from './route.js';

/** `GET /metrics`, as an OpenAPI document tells of it. With a credential of its own it takes no other (Authentication, rule 7). */
export function describeEndpoint(guard: MetricsGuard): EndpointDescription {
  const text = { type: 'string' } as const;
  return {
    method: 'get',
    path: METRICS_PATH,
    summary: 'Metrics for Prometheus',
    answers: {
      200: {
        description: 'Every series, in the format that the client prefers.',
        content: { 'text/plain': text, 'application/openmetrics-text': text },
      },
    },
    ...(guard.isOn ? { credentials: { metrics: { type: 'http', scheme: 'basic' } } } : {}),
  };
}
