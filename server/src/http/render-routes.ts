import type Router from '@koa/router';
import { type CollectedAssets, isPlatenError, PlatenError } from '@platen/kernel';
import { linkAssets } from '../assets/link-assets.js';
import type { ExplicitFlags } from '../service/explicit-flags.js';
import type { RenderResponse } from '../service/hooks.js';
import { discardOutput, renderRequest, type RenderRequest, type RenderServiceParts } from '../service/render-service.js';
import { isOpen } from './authorize.js';
import type { RequestState, ServerContext } from './request-state.js';
import { readBody, readQuery, readQueryOrBody, type BodyRoom, type GivenParams } from './read-params.js';
import { limitFreshness } from './limit-freshness.js';
import { readPreconditions } from './preconditions.js';
import { sendOutput } from './send-output.js';
import { sendWelcome, wantsWelcome, type WelcomeParts } from './welcome-page.js';

export interface RenderRouteParts extends RenderServiceParts, BodyRoom, Pick<WelcomeParts, 'flagPaths'> {
  readonly given: Pick<ExplicitFlags, 'has'>;
  draining(): boolean;
}

/** `GET /`, `POST /` and `DELETE /`. */
export function addRenderRoutes(router: Router<RequestState>, parts: RenderRouteParts): void {
  const { schema } = parts.kernel;
  router.get('/', async (ctx) => {
    if (wantsWelcome(ctx)) sendWelcome(ctx, parts);
    else await answerRender(ctx, parts, () => readQuery(ctx, schema, parts));
  });
  router.post('/', (ctx) => answerRender(ctx, parts, () => readBody(ctx, parts)));
  router.delete('/', (ctx) => purge(ctx, parts));
}

async function answerRender(ctx: ServerContext, parts: RenderRouteParts, read: () => GivenParams | Promise<GivenParams>): Promise<void> {
  if (parts.draining()) throw new PlatenError('draining', 'the server is shutting down');
  const { state } = ctx;
  const { raw, source } = await read();
  const accept = ctx.get('Accept');
  const answer = await renderWithAssets(ctx, parts, {
    id: state.id,
    ...(state.trace === undefined ? {} : { trace: state.trace }),
    endpoint: state.endpoint,
    raw,
    source,
    signal: state.controller.signal,
    ...(state.identity === undefined ? {} : { identity: state.identity }),
    header(name, value) {
      ctx.set(name, value);
    },
    accepts: (contentType) => accept === '' || ctx.accepts(contentType) !== false,
    onPlanned(plan) {
      state.plan = plan;
      state.format = plan.output.type;
    },
    onDealt(outcome) {
      state.cache = outcome;
    },
  });
  state.timings = answer.timings;
  if (answer.cache !== undefined) state.cache = answer.cache;
  if (state.plan !== undefined) await sendOutput(ctx, state.plan, answer);
}

/** A failed render may leave assets too: its error contains their links. */
async function renderWithAssets(ctx: ServerContext, parts: RenderRouteParts, request: RenderRequest): Promise<RenderResponse> {
  const tell = async (assets: CollectedAssets) => {
    if (ctx.state.plan === undefined) return Infinity;
    const { headers, expiresAt } = await linkAssets(parts, ctx.state.plan, assets);
    ctx.set(headers);
    return expiresAt;
  };
  try {
    const answer = await renderRequest(parts, request);
    const expiresAt = await tell(answer.assets).catch((error: unknown) => {
      discardOutput(answer);
      throw error;
    });
    return { ...answer, headers: limitFreshness(answer.headers, expiresAt - Date.now()) };
  } catch (error) {
    if (isPlatenError(error) && error.assets !== undefined) await tell(error.assets);
    throw error;
  }
}

/** Checks the parameters as for a render; then removes their cached results, or all cached results if there are no parameters. */
async function purge(ctx: ServerContext, parts: RenderRouteParts): Promise<void> {
  const { kernel, hooks } = parts;
  const given = await readQueryOrBody(ctx, kernel.schema, parts);
  if (given === undefined) await assertMayPurgeAll(ctx, parts);
  else {
    ctx.state.plan = kernel.plan(kernel.validate(given.raw, given.source));
    ctx.state.format = ctx.state.plan.output.type;
  }
  const wasKept = await hooks.purge.promise(ctx.state.plan, readPreconditions(ctx));
  if (wasKept === undefined) throw new PlatenError('not_found', 'this server has no cache, so there is nothing to purge');
  if (!wasKept && given !== undefined) throw new PlatenError('gone', 'the cache holds no result of these parameters');
  ctx.status = 204;
}

/**
 * One of several clients must not clear the cache of all: if the server checks credentials, only those of `--server-admin-auth` are
 * sufficient. Its plugin reports whether they were sent.
 */
async function assertMayPurgeAll({ state }: ServerContext, { hooks, given }: RenderRouteParts): Promise<void> {
  if (state.mayPurgeAll || !hooks.purge.isUsed()) return;
  if (!given.has(ADMIN_FLAG) && (await isOpen(hooks, { method: 'DELETE', path: '/' }))) return;
  throw new PlatenError(
    'forbidden',
    `purging all results needs a credential of --${ADMIN_FLAG}, as "Authorization: Basic <base64 of user:password>"; with parameters one result is purged`,
    { reason: 'missing_credential' },
  );
}

const ADMIN_FLAG = 'server-admin-auth';
