import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import { type AssetStore, type Kernel, type Logger, PlatenError } from '@platen/kernel';
import Koa, { type Middleware } from 'koa';
import type { ActiveRequests } from '../service/active-requests.js';
import type { FlagValues, ReportFinished, ServerHooks } from '../service/hooks.js';
import type { RequestState } from '../service/request-state.js';
import type { StatusReport } from '../service/status-report.js';
import { allowOrigins } from './allow-origins.js';
import { addAssetRoute } from './asset-route.js';
import { answerErrors } from './answer-errors.js';
import { authorize } from './authorize.js';
import { checkOrigin, type OriginCheckOptions } from './check-origin.js';
import type { BodyRoom } from './read-params.js';
import { type FlagPath, listFlagPaths, nameFlags } from './flag-paths.js';
import type { Listeners } from './listeners.js';
import { addRenderRoutes, type RenderRouteParts } from './render-routes.js';

/** Far more than there are keys, cookies and headers. A longer query would be expensive to sort, sign or explain. */
const MAX_QUERY_PARAMS = 10_000;

export interface AppParts extends OriginCheckOptions, BodyRoom, Pick<Listeners, 'answers'>, Pick<RenderRouteParts, 'given'> {
  readonly kernel: Kernel;
  readonly hooks: ServerHooks;
  readonly flags: FlagValues;
  readonly store: AssetStore;
  readonly log: Logger;
  readonly open: ActiveRequests;
  readonly onFinished: ReportFinished;
  draining(): boolean;
  status(): StatusReport;
}

/** The Koa application: request identity and errors, authorization, routes, and a response for all other paths. */
export function createApp(parts: AppParts): Koa<RequestState> {
  const { hooks, log } = parts;
  const flagPaths = listFlagPaths(parts.kernel, parts.flags);
  const app = new Koa<RequestState>();
  // Only one kind of error reaches Koa itself: a socket that broke while a response was being sent.
  app.silent = true;
  app.on('error', (error: unknown) => {
    log.debug({ err: error }, 'the connection was lost');
  });
  app.use(answerErrors(parts));
  app.use(allowOrigins(parts.flags));
  app.use(assertRequest);
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  app.use(noteFormat(parts.kernel));
  app.use(noteEndpoint(router, parts));
  app.use(authorize(hooks));
  app.use(checkOrigin(parts));
  app.use(async (ctx, next) => {
    if (!parts.answers(ctx.req, ctx.path)) throw nothingAt(ctx.path, flagPaths);
    await next();
  });
  addRenderRoutes(router, { ...parts, flagPaths });
  addStatusRoute(router, parts.status);
  addAssetRoute(router, parts.store);
  hooks.routes.call(router);
  app.use(router.routes());
  app.use(refuseUnrouted(flagPaths));
  return app;
}

/** No route matched: the path is unknown, or it does not support the method (RFC 9110, 15.5.6). */
const refuseUnrouted =
  (flagPaths: readonly FlagPath[]): Koa.Middleware<RequestState> =>
  (ctx) => {
    if (ctx.body !== undefined || ctx.respond === false || ctx.status !== 404) return;
    // The server as a whole (RFC 9110, 9.3.7).
    if (ctx.method === 'OPTIONS' && ctx.url === '*') {
      ctx.status = 204;
      return;
    }
    const allow = [...new Set(routesOf(ctx.matched).flatMap(({ methods }) => methods))];
    if (allow.length === 0) throw nothingAt(ctx.path, flagPaths);
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      ctx.set('Allow', allow.join(', '));
      return;
    }
    throw new PlatenError('method_not_allowed', `${ctx.path} does not support ${ctx.method}, only ${allow.join(', ')}`, { allow });
  };

function nothingAt(path: string, flagPaths: readonly FlagPath[]): PlatenError {
  const disabled = flagPaths.find(
    (each) => !each.isEnabled && `${path}/`.startsWith(each.path.endsWith('/') ? each.path : `${each.path}/`),
  );
  const hint =
    disabled === undefined
      ? "renders are at /, their additional assets at /assets, the server's state is at /status"
      : `start the server with ${nameFlags(disabled)}`;
  return new PlatenError('not_found', `there is nothing at ${path}: ${hint}`);
}

/**
 * The requested output type, for observers of requests that are rejected before they are parsed. Limited to known output types, so that the
 * number of values stays small.
 */
function noteFormat({ plugins }: Kernel): Koa.Middleware<RequestState> {
  const types = new Set(plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type)));
  return async (ctx, next) => {
    const type = new URLSearchParams(ctx.querystring).get('output_type');
    if (type !== null && types.has(type)) ctx.state.format = type;
    await next();
  };
}

/** The route, not the path: observers count by it, even if the request is rejected before it reaches the route. */
function noteEndpoint(router: Router<RequestState>, { answers }: Pick<AppParts, 'answers'>): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    const [route] = answers(ctx.req, ctx.path) ? routesOf(router.match(ctx.path, ctx.method).pathAndMethod) : [];
    if (route !== undefined) ctx.state.endpoint = `${ctx.method} ${route.path}`;
    await next();
  };
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

/** The routes that match the path, as the router recorded them; the router's own middleware has no methods. */
function routesOf(matched: unknown): readonly Route[] {
  if (!Array.isArray(matched)) return [];
  return matched.filter(isRoute).filter(({ methods }) => methods.length > 0);
}

function isRoute(layer: unknown): layer is Route {
  return (
    typeof layer === 'object' &&
    layer !== null &&
    'methods' in layer &&
    Array.isArray(layer.methods) &&
    'path' in layer &&
    typeof layer.path === 'string'
  );
}

/**
 * Rejects requests that Node's parser accepts although they are invalid, or would reject without a response. The connection then ends,
 * since its next bytes cannot be interpreted.
 */
const assertRequest: Middleware<RequestState> = async (ctx, next) => {
  const fault = faultOf(ctx.req);
  if (fault !== undefined) {
    ctx.set('Connection', 'close');
    // The bytes behind the headers are read and discarded. Otherwise the client could lose the response to a connection reset.
    ctx.req.resume();
    throw fault;
  }
  assertFewParams(ctx.querystring);
  await next();
};

/** Runs before the query is read: credentials have not been checked yet. */
function assertFewParams(query: string): void {
  let count = query === '' ? 0 : 1;
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) count += 1;
  if (count <= MAX_QUERY_PARAMS) return;
  throw new PlatenError(
    'malformed_request',
    `the query has ${String(count)} parameters, more than ${String(MAX_QUERY_PARAMS)}: send long lists as the body of POST /`,
  );
}

function faultOf({ rawHeaders, headers, httpVersion }: IncomingMessage): PlatenError | undefined {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  // RFC 9112, 3.2.
  if (hosts > 1) return new PlatenError('malformed_request', 'the request has more than one "Host" header');
  if (httpVersion === '1.0') return undefined;
  if (hosts === 0) return new PlatenError('malformed_request', 'the request has no "Host" header: HTTP/1.1 requires one');
  // RFC 9110, 10.1.1 defines only one expectation.
  if (headers.expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect)) return undefined;
  return new PlatenError('expectation_failed', 'the only valid value of the header "Expect" is "100-continue"');
}

/** `GET /status`. 503 makes a load balancer stop sending requests. */
function addStatusRoute(router: Router<RequestState>, status: () => StatusReport): void {
  router.get('/status', (ctx) => {
    // Statistics of cache, blocked requests and models are for the operator only: this response is public.
    const { cache: _cache, adblock: _adblock, models: _models, ...report } = status();
    ctx.state.isQuiet = true;
    ctx.status = report.status === 'ok' ? 200 : 503;
    if (ctx.status === 503) ctx.set('Retry-After', '5');
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    ctx.body = JSON.stringify(report);
  });
}
