import type { ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import { Counter, Gauge, type Registry } from 'prom-client';

type Observed = Pick<ServerApi, 'kernel' | 'status'>;

/** Gauges of the server and its browsers, read when somebody asks. The cache's are there where a cache reports. */
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
  gauge('svc_renders_in_flight', 'Renders under way.', () => status().in_flight);
  gauge('svc_renders_queued', 'Requests that wait for a render to begin.', () => status().queued);
  gauge('svc_renders_capacity', 'Renders that run at once at most.', () => status().max_concurrency);
  gauge('svc_draining', '1 once the server was asked to stop.', () => (status().status === 'draining' ? 1 : 0));
  gauge('svc_browsers', 'Browsers that run.', () => kernel.status().browsers);
  gauge('svc_browser_pages_warm', 'Pages opened ahead for renders to come.', () => kernel.status().warm);
  gauge('svc_browser_pages_busy', 'Pages that render.', () => kernel.status().busy);
  gauge('svc_browser_pages_capacity', 'Pages that the browsers may have busy at once.', () => kernel.status().capacity);
  countRestarts(registry, server);
  describeBuild(registry, kernel.version);
  const { cache } = status();
  if (cache === undefined) return;
  gauge('svc_cache_entries', 'Results that the cache holds.', () => status().cache?.entries ?? 0);
  gauge('svc_cache_bytes', 'Bytes that the cache holds.', () => status().cache?.bytes ?? 0);
  gauge('svc_cache_limit_bytes', 'Bytes that the cache may hold.', () => status().cache?.limit_bytes ?? 0);
}

function countRestarts(registry: Registry, { kernel }: Observed): void {
  new Counter({
    name: 'svc_browser_restarts_total',
    help: 'Browsers started in place of one that was lost or worn.',
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
