import type Router from '@koa/router';
import type { Kernel } from '@platen/kernel';
import type { ServerHooks } from '../service/hooks.js';
import type { StatusReport } from '../service/status-report.js';
import type { RequestState } from './request-state.js';

export interface StatusParts {
  readonly kernel: Pick<Kernel, 'status' | 'version'>;
  readonly hooks: Pick<ServerHooks, 'status'>;
  draining(): boolean;
}

/** The server's state. Plugins may refine it; it never waits for a browser. */
export function createStatus({ kernel, hooks, draining }: StatusParts): () => StatusReport {
  const startedAt = performance.now();
  return () => {
    const { inFlight, waiting, capacity, degraded, walks } = kernel.status();
    return hooks.status.call({
      status: draining() ? 'draining' : degraded ? 'degraded' : 'ok',
      in_flight: inFlight,
      queued: waiting,
      max_concurrency: capacity,
      // Without their URLs: this response is public.
      ...(walks.length === 0
        ? {}
        : { walks: walks.map(({ done, queued: left, failed, bytes }) => ({ done, queued: left, failed, bytes })) }),
      uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
      version: kernel.version,
    });
  };
}

/** `GET /status`. 503 makes a load balancer stop sending requests. */
export function addStatusRoute(router: Router<RequestState>, status: () => StatusReport): void {
  router.get('/status', (ctx) => {
    // Statistics of cache, blocked requests and models are for the operator only: this response is public.
    const { cache: _cache, adblock: _adblock, models: _models, ...report } = status();
    ctx.status = report.status === 'ok' ? 200 : 503;
    if (ctx.status === 503) ctx.set('Retry-After', '5');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(report);
  });
}
