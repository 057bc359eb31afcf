import type { Middleware } from 'koa';
import type { ServerHooks } from '../service/hooks.js';
import type { Exchange } from './exchange.js';

/** Asks the plugins whether the request may go on; without any that asks for credentials, every request may. */
export function authorize(hooks: ServerHooks): Middleware<Exchange> {
  return async (ctx, next) => {
    const { authorization } = ctx.req.headersDistinct;
    const authorized = await hooks.authorize.promise({
      id: ctx.state.id,
      method: ctx.method,
      path: ctx.path,
      query: ctx.querystring,
      // Node keeps the first of several, and another reader may believe the last.
      headers: authorization === undefined || authorization.length === 1 ? ctx.headers : { ...ctx.headers, authorization },
      header(name, value) {
        ctx.set(name, value);
      },
      strip(...names) {
        ctx.state.strip = [...ctx.state.strip, ...names];
      },
    });
    if (authorized?.identity !== undefined) ctx.state.identity = authorized.identity;
    await next();
  };
}
