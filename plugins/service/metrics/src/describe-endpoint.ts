import type { EndpointDescription } from '@platen/server';
import type { MetricsGuard } from './guard-metrics.js';
import { METRICS_PATH } from './route.js';

/** OpenAPI description of `GET /metrics`. With dedicated credentials it accepts no others (Authentication, rule 7). */
export function describeEndpoint(guard: MetricsGuard): EndpointDescription {
  const text = { type: 'string' } as const;
  return {
    method: 'get',
    path: METRICS_PATH,
    summary: 'Metrics for Prometheus',
    answers: {
      200: {
        description: 'All series, in the format that the client prefers.',
        content: { 'text/plain': text, 'application/openmetrics-text': text },
      },
    },
    ...(guard.isOn ? { credentials: { metrics: { type: 'http', scheme: 'basic' } } } : {}),
  };
}
