import type { ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import type { Registry } from 'prom-client';
import { encodeMetrics, FORMATS, type MetricsFormat } from './encode-metrics.js';

export const METRICS_PATH = '/metrics';

type Router = Parameters<Parameters<ServerApi['hooks']['routes']['tap']>[1]>[0];

/** `GET /metrics`, in the text format that the client prefers. */
export function addMetricsRoute(router: Router, registry: Registry): void {
  router.get(METRICS_PATH, async (ctx) => {
    const format = chooseFormat((types) => ctx.accepts([...types]));
    const text = encodeMetrics(await registry.getMetricsAsJSON(), format);
    ctx.set('Content-Type', FORMATS[format]);
    ctx.set('Cache-Control', 'no-store');
    ctx.vary('Accept');
    ctx.body = text;
  });
}

/** With versions, since clients request them. */
const OFFERED = ['text/plain;version=0.0.4', 'application/openmetrics-text;version=1.0.0'] as const;

/** Sends plain text if the client accepts neither (RFC 9110, 12.5.1), so that the scrape does not fail. */
function chooseFormat(accepts: (types: readonly string[]) => string | false | string[]): MetricsFormat {
  return accepts(OFFERED) === OFFERED[1] ? 'openmetrics' : 'text';
}
