import type { ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import { Counter, Gauge, type Registry } from 'prom-client';

type Observed = Pick<ServerApi, 'kernel' | 'status'>;

/** Gauges of the server and its browsers, read at each scrape. Those of the cache exist if a cache reports. */
export function observeServer(registry: Registry, server: Observed): void {
  const gauge = (name: string, help: string, read: () => number) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  const { kernel, status } = server;
  gauge('svc_renders_in_flight', 'Renders in progress.', () => status().in_flight);
  gauge('svc_renders_queued', 'Requests that are queued for a render.', () => status().queued);
  gauge('svc_renders_capacity', 'Maximum number of concurrent renders.', () => status().max_concurrency);
  gauge('svc_draining', '1 while the server shuts down.', () => (status().status === 'draining' ? 1 : 0));
  gauge('svc_browsers', 'Running browsers.', () => kernel.status().browsers);
  gauge('svc_browser_pages_warm', 'Pages opened in advance for future renders.', () => kernel.status().warm);
  gauge('svc_browser_pages_busy', 'Pages in use by renders.', () => kernel.status().busy);
  gauge('svc_browser_pages_capacity', 'Maximum number of pages in use concurrently.', () => kernel.status().capacity);
  countRestarts(registry, server);
  describeBuild(registry, kernel.version);
  const { cache } = status();
  if (cache === undefined) return;
  gauge('svc_cache_entries', 'Entries in the cache.', () => status().cache?.entries ?? 0);
  gauge('svc_cache_bytes', 'Size of the cache in bytes.', () => status().cache?.bytes ?? 0);
  gauge('svc_cache_limit_bytes', 'Maximum size of the cache in bytes.', () => status().cache?.limit_bytes ?? 0);
}

function countRestarts(registry: Registry, { kernel }: Observed): void {
  new Counter({
    name: 'svc_browser_restarts_total',
    help: 'Browsers started to replace a crashed or worn-out browser.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(kernel.status().restarts);
    },
  });
}

function describeBuild(registry: Registry, version: string): void {
  const labelNames = ['version', 'node'];
  new Gauge({ name: 'svc_build_info', help: 'Always 1: what runs.', labelNames, registers: [registry] }).set(
    { version, node: process.versions.node },
    1,
  );
}
