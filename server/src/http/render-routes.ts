import type Router from '@koa/router';
import { PlatenError } from '@platen/kernel';
import { renderRequest, type RenderServiceParts } from '../service/render-service.js';
import type { Exchange, ServerContext } from './exchange.js';
import { readBody, readQuery, readQueryOrBody, type GivenParams } from './read-params.js';
import { sendOutput } from './send-output.js';

export interface RenderRouteParts extends RenderServiceParts {
  bodyLimit(): number;
  draining(): boolean;
}

/** `GET /`, `POST /` and `DELETE /`. */
export function addRenderRoutes(router: Router<Exchange>, parts: RenderRouteParts): void {
  const { schema } = parts.kernel;
  router.get('/', (ctx) => answerRender(ctx, parts, () => readQuery(ctx, schema)));
  router.post('/', (ctx) => answerRender(ctx, parts, () => readBody(ctx, parts.bodyLimit())));
  router.delete('/', (ctx) => purge(ctx, parts));
}

async function answerRender(ctx: ServerContext, parts: RenderRouteParts, read: () => GivenParams | Promise<GivenParams>): Promise<void> {
  if (parts.draining()) throw new PlatenError('draining', 'the server is shutting down');
  const { state } = ctx;
  const { raw, source } = await read();
  const accept = ctx.get('Accept');
  const result = await renderRequest(parts, {
    id: state.id,
    endpoint: state.endpoint,
    raw,
    source,
    signal: state.controller.signal,
    accepts: (contentType) => accept === '' || ctx.accepts(contentType) !== false,
    onPlanned(plan) {
      state.plan = plan;
    },
  });
  state.timings = result.timings;
  if (state.plan !== undefined) await sendOutput(ctx, state.plan, result);
}

/** The parameters are checked as for a render; then there is nothing to purge, since nothing is kept. */
async function purge(ctx: ServerContext, { kernel, bodyLimit }: RenderRouteParts): Promise<void> {
  const given = await readQueryOrBody(ctx, kernel.schema, bodyLimit());
  if (given !== undefined) ctx.state.plan = kernel.plan(kernel.validate(given.raw, given.source));
  throw new PlatenError('not_found', 'this server has no cache, so there is nothing to purge');
}
