import type { Middleware } from 'koa';
import type { ReportFinished } from '../service/report-finished.js';
import { clientClosed, createExchange, toRecord, type Exchange, type ServerContext } from './exchange.js';
import type { OpenExchanges } from './open-exchanges.js';
import { problemHeaders, toPlatenError, toProblem } from './problem.js';
import { chooseRequestId } from './request-id.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { readTraceContext } from './trace-context.js';

export interface ExchangeOptions {
  readonly open: OpenExchanges;
  draining(): boolean;
  readonly onFinished: ReportFinished;
}

/** Outermost: gives the request its id and its signal, turns whatever is thrown into a problem document, and reports the end. */
export function answerErrors(options: ExchangeOptions): Middleware<Exchange> {
  return async (ctx, next) => {
    const exchange = createExchange(chooseRequestId(ctx.get('X-Request-Id')), readTraceContext(ctx.req.headersDistinct.traceparent));
    ctx.state = exchange;
    follow(ctx, options);
    ctx.set(SECURITY_HEADERS);
    ctx.set('X-Request-Id', exchange.id);
    if (options.draining()) ctx.set('Connection', 'close');
    try {
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
    if (ctx.respond !== false && ctx.method !== 'HEAD') exchange.bytes = Number.isInteger(ctx.length) ? ctx.length : 0;
  };
}

/** The exchange is open until its response is closed, whole or not. */
function follow({ res, state: exchange }: ServerContext, { open, onFinished }: ExchangeOptions): void {
  open.add(exchange, res);
  res.once('close', () => {
    open.delete(exchange);
    if (!res.writableFinished) {
      exchange.error ??= clientClosed();
      exchange.controller.abort(exchange.error);
    }
    onFinished(toRecord(exchange, res.headersSent ? res.statusCode : (exchange.error?.status ?? res.statusCode)));
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
  ctx.body = JSON.stringify(toProblem(error, ctx.state.id));
  ctx.set(problemHeaders(error));
  ctx.set(SECURITY_HEADERS);
}
