import type { Middleware } from 'koa';
import type { ActiveRequests } from '../service/active-requests.js';
import { problemHeaders, toPlatenError, toProblem } from '../service/problem.js';
import type { ReportFinished } from '../service/hooks.js';
import { clientClosed, createRequestState, toRecord, type RequestState } from '../service/request-state.js';
import type { ServerContext } from './server-context.js';
import { readTraceContext } from '../service/trace-context.js';
import { chooseRequestId, SECURITY_HEADERS } from './response-headers.js';

export interface ActiveRequestsOptions {
  readonly open: ActiveRequests;
  draining(): boolean;
  readonly onFinished: ReportFinished;
}

/**
 * Outermost middleware: gives the request its id and its signal, converts every thrown error to a problem document, and reports the end.
 */
export function answerErrors(options: ActiveRequestsOptions): Middleware<RequestState> {
  return async (ctx, next) => {
    const state = createRequestState(chooseRequestId(ctx.get('X-Request-Id')), readTraceContext(ctx.req.headersDistinct.traceparent));
    ctx.state = state;
    follow(ctx, options);
    ctx.set(SECURITY_HEADERS);
    ctx.set('X-Request-Id', state.id);
    if (options.draining()) ctx.set('Connection', 'close');
    try {
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
    if (ctx.respond !== false && ctx.method !== 'HEAD') state.bytes = Number.isInteger(ctx.length) ? ctx.length : 0;
  };
}

/** Each part that waits for a response's end has a listener of its own, and `pipeline` several: above ten Node warns of a leak. */
const CLOSE_LISTENERS = 20;

/** The request is active until its response is closed, complete or not. */
function follow({ res, state }: ServerContext, { open, onFinished }: ActiveRequestsOptions): void {
  open.add(state, res);
  res.setMaxListeners(CLOSE_LISTENERS);
  res.once('close', () => {
    open.delete(state);
    if (!res.writableFinished) {
      state.error ??= clientClosed();
      state.controller.abort(state.error);
    }
    onFinished(toRecord(state, res.headersSent ? res.statusCode : (state.error?.status ?? res.statusCode)));
  });
}

/** Headers that an output may have set before it failed. */
const OF_THE_OUTPUT = [
  'Age',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'ETag',
  'Last-Modified',
  'Server-Timing',
] as const;

function sendProblem(ctx: ServerContext, thrown: unknown): void {
  const error = toPlatenError(thrown);
  ctx.state.error ??= error;
  if (ctx.headerSent || ctx.res.destroyed) {
    ctx.respond = false;
    ctx.res.destroy();
    return;
  }
  ctx.respond = true;
  for (const name of OF_THE_OUTPUT) ctx.remove(name);
  ctx.status = error.status;
  ctx.body = JSON.stringify({ ...toProblem(error, ctx.state.id), ...ctx.state.left });
  ctx.set(problemHeaders(error));
  ctx.set(SECURITY_HEADERS);
}
