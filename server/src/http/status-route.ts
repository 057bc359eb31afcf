import type Router from '@koa/router';
import type { RequestState } from '../service/request-state.js';
import type { StatusReport } from '../service/status-report.js';

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
