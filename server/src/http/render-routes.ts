import { once } from 'node:events';
import { Readable } from 'node:stream';
import type Router from '@koa/router';
import {
  type CollectedAssets,
  drainingError,
  isPlatenError,
  PlatenError,
  type RenderPlan,
  type RenderResult,
  type Timings,
} from '@platen/kernel';
import type { ExplicitFlags } from '../service/explicit-flags.js';
import { keepFileName, nameFile } from '../service/file-name.js';
import type { RenderResponse } from '../service/hooks.js';
import { linkAssets, type LinkParts, toAssetMembers } from '../service/link-assets.js';
import {
  discardOutput,
  PHASES,
  planRequest,
  renderRequest,
  type RenderRequest,
  type RenderServiceParts,
} from '../service/render-service.js';
import type { RequestState } from '../service/request-state.js';
import type { ServerContext } from './server-context.js';
import { isOpen } from './authorize.js';
import { deferRender } from './defer-render.js';
import { type BodyRoom, type GivenParams, readBody, readQuery, readQueryOrBody } from './read-params.js';
import { findFailedPrecondition, isNotModified, readPreconditions } from './preconditions.js';
import { sendWelcome, wantsWelcome, type WelcomeParts } from './welcome-page.js';
import { setContentHeaders } from './response-headers.js';
import { sendStream } from './send-stream.js';

export interface RenderRouteParts extends RenderServiceParts, BodyRoom, Pick<WelcomeParts, 'flagPaths'> {
  readonly given: Pick<ExplicitFlags, 'has'>;
  readonly flags: LinkParts['flags'];
  draining(): boolean;
}

/** `GET /`, `POST /` and `DELETE /`. */
export function addRenderRoutes(router: Router<RequestState>, parts: RenderRouteParts): void {
  const { schema } = parts.kernel;
  router.get('/', async (ctx) => {
    if (wantsWelcome(ctx)) sendWelcome(ctx, parts);
    else await answerRender(ctx, parts, () => readQuery(ctx, schema, parts));
  });
  router.post('/', (ctx) => answerRender(ctx, parts, () => readBody(ctx, schema, parts)));
  router.delete('/', (ctx) => purge(ctx, parts));
}

async function answerRender(ctx: ServerContext, parts: RenderRouteParts, read: () => GivenParams | Promise<GivenParams>): Promise<void> {
  if (parts.draining()) throw drainingError();
  const { state } = ctx;
  const given = await read();
  if (await deferRender(ctx, parts, given)) return;
  const accept = ctx.get('Accept');
  const answer = await renderWithAssets(ctx, parts, {
    id: state.id,
    ...(state.trace === undefined ? {} : { trace: state.trace }),
    endpoint: state.endpoint,
    ...given,
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
    if (ctx.state.plan === undefined) return undefined;
    const linked = await linkAssets(parts, ctx.state.plan, assets);
    ctx.set(linked.headers);
    return linked;
  };
  try {
    const answer = await renderRequest(parts, request);
    const linked = await tell(answer.assets).catch((error: unknown) => {
      discardOutput(answer);
      throw error;
    });
    const expiresAt = linked?.expiresAt ?? Infinity;
    return { ...answer, headers: limitFreshness(answer.headers, expiresAt - Date.now()) };
  } catch (error) {
    const left = isPlatenError(error) && error.assets !== undefined ? await tell(error.assets) : undefined;
    if (left !== undefined) ctx.state.left = toAssetMembers(left);
    throw error;
  }
}

/** Checks the parameters as for a render; then removes their cached results, or all cached results if there are no parameters. */
async function purge(ctx: ServerContext, parts: RenderRouteParts): Promise<void> {
  const { kernel, hooks } = parts;
  const given = await readQueryOrBody(ctx, kernel.schema, parts);
  if (given === undefined) await assertMayPurgeAll(ctx, parts);
  else {
    ctx.state.plan = planRequest(kernel, given);
    ctx.state.format = ctx.state.plan.output.type;
  }
  const wasKept = await hooks.purge.promise(ctx.state.plan, readPreconditions(ctx));
  if (wasKept === undefined) throw new PlatenError('not_found', 'this server has no cache, so there is nothing to purge');
  if (!wasKept && given !== undefined) throw new PlatenError('gone', 'the cache contains no result for these parameters');
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
    `purging all results requires a credential of --${ADMIN_FLAG}, as "Authorization: Basic <base64 of user:password>"; with parameters, one result is purged`,
    { reason: 'missing_credential' },
  );
}

const ADMIN_FLAG = 'server-admin-auth';

type Headers = Readonly<Record<string, string>>;

/** Limits `max-age`, less `Age`, to the given milliseconds: the response refers to resources that expire then. */
function limitFreshness(headers: Headers, leftMs: number): Headers {
  const { 'Cache-Control': control, Age: age = '0' } = headers;
  if (control === undefined || leftMs === Infinity) return headers;
  const limit = Number(age) + Math.max(0, Math.floor(leftMs / 1000));
  return {
    ...headers,
    'Cache-Control': control.replace(/\bmax-age=(\d+)/, (_, given: string) => `max-age=${String(Math.min(Number(given), limit))}`),
  };
}

/**
 * Writes a render's response to the socket. Headers are sent with the first byte of the body, so that a stream that fails immediately still
 * becomes a problem document. If a stream fails later, the connection is broken, so that the client cannot mistake the response for a
 * complete 200.
 */
async function sendOutput(ctx: ServerContext, plan: RenderPlan, result: RenderResult): Promise<void> {
  const { body } = result.output;
  if (body instanceof Readable) await started(body);
  ctx.status = 200;
  setHeaders(ctx, plan, result);
  // A cached result has validators (RFC 9110, 13).
  const failed = findFailedPrecondition(ctx);
  if (failed !== undefined) {
    if (body instanceof Readable) body.destroy();
    throw failed;
  }
  if (isNotModified(ctx)) {
    if (body instanceof Readable) body.destroy();
    ctx.status = 304;
    return;
  }
  if (Buffer.isBuffer(body)) {
    ctx.length = body.length;
    ctx.body = body;
    return;
  }
  if (result.output.length !== undefined) ctx.length = result.output.length;
  await sendStream(ctx, body);
}

function setHeaders(ctx: ServerContext, plan: RenderPlan, { output, headers, timings }: RenderResult): void {
  const { 'Server-Timing': further, ...others } = headers;
  for (const [name, value] of Object.entries(others)) ctx.set(name, value);
  const name =
    output.filename === undefined ? nameFile(plan.url, output.extension) : keepFileName(output.filename) || `page.${output.extension}`;
  setContentHeaders(ctx, name, output.contentType);
  // A cached result took no time here.
  if (Object.keys(timings).length > 0) ctx.set('Server-Timing', serverTiming(timings, further));
  // Any page may embed images and videos, for example as an <img> with a signed URL; all other outputs are for the client only.
  if (/^(?:image|video)\//.test(output.contentType)) ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** Phases as Server-Timing metrics, durations in milliseconds, and the metrics of a plugin. */
function serverTiming(timings: Timings, further: string | undefined): string {
  const phases = PHASES.map((phase) => `${phase};dur=${(timings[phase] ?? 0).toFixed(1)}`);
  return [...phases, ...(further === undefined ? [] : [further])].join(', ');
}

/** Resolves with the first bytes, or the end, of a stream; throws an error that comes earlier. */
async function started(body: Readable): Promise<void> {
  assertSound(body);
  if (body.readableEnded || body.readableLength > 0) return;
  if (body.destroyed) throw new Error('the output was closed before it was sent');
  await Promise.race([once(body, 'readable'), once(body, 'end')]);
  // A failure in the same turn as the first bytes was already emitted to the listeners above.
  assertSound(body);
}

function assertSound({ errored }: Readable): void {
  if (errored !== null) throw errored;
}
