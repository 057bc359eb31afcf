import { collectDefaultMetrics, type Registry } from 'prom-client';

/** Left out of what prom-client knows by itself. */
const LEFT_OUT = [
  // Gauges whose names end as counters do, which linters refuse, and their kin.
  ...['handles', 'requests', 'resources'].flatMap((what) => [`svc_nodejs_active_${what}`, `svc_nodejs_active_${what}_total`]),
  // No numbers where two scrapes come close upon each other.
  ...['min', 'max', 'mean', 'stddev'].map((what) => `svc_nodejs_eventloop_lag_${what}_seconds`),
];

/** CPU, memory, file descriptors, event loop and garbage collection of this process: `svc_process_*`, `svc_nodejs_*`. */
export function observeProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'svc_' });
  for (const name of LEFT_OUT) registry.removeSingleMetric(name);
}
