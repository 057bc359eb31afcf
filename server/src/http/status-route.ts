import type Router from '@koa/router';
import type { Kernel } from '@platen/kernel';
import type { ServerHooks } from '../service/hooks.js';
import type { Exchange } from './exchange.js';

export interface StatusParts {
  readonly kernel: Pick<Kernel, 'status' | 'version'>;
  readonly hooks: Pick<ServerHooks, 'status'>;
  draining(): boolean;
}

/** `GET /status`: counters only, so that it never waits for a browser. 503 tells a balancer to send nothing more. */
export function addStatusRoute(router: Router<Exchange>, { kernel, hooks, draining }: StatusParts): void {
  const startedAt = performance.now();
  router.get('/status', (ctx) => {
    const { inFlight, waiting, capacity } = kernel.status();
    const report = hooks.status.call({
      status: draining() ? 'draining' : 'ok',
      in_flight: inFlight,
      queued: waiting,
      max_concurrency: capacity,
      uptime_seconds: Math.floor((performance.now() - startedAt) / 1000),
      version: kernel.version,
    });
    ctx.status = report.status === 'draining' ? 503 : 200;
    if (ctx.status === 503) ctx.set('Retry-After', '5');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(report);
  });
}
