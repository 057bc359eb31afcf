import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Default metrics of prom-client that are omitted. */
const OMITTED = [
  // Gauges with counter names, which linters reject, and related ones.
  ...['handles', 'requests', 'resources'].flatMap((what) => [`svc_nodejs_active_${what}`, `svc_nodejs_active_${what}_total`]),
  // Not a number if two scrapes are close together.
  ...['min', 'max', 'mean', 'stddev'].map((what) => `svc_nodejs_eventloop_lag_${what}_seconds`),
];

/** CPU, memory, file descriptors, event loop and garbage collection of this process: `svc_process_*`, `svc_nodejs_*`. */
export function observeProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  for (const name of OMITTED) registry.removeSingleMetric(name);
}
