import type { Middleware } from 'koa';
import type { ServerHooks } from '../service/hooks.js';
import type { Exchange } from './exchange.js';

/** Asks the plugins whether the request may go on; without any that asks for credentials, every request may. */
export function authorize(hooks: ServerHooks): Middleware<Exchange> {
  return async (ctx, next) => {
    const authorized = await hooks.authorize.promise({
      id: ctx.state.id,
      method: ctx.method,
      path: ctx.path,
      query: ctx.querystring,
      headers: ctx.headers,
      header(name, value) {
        ctx.set(name, value);
      },
    });
    ctx.state.strip = authorized?.strip ?? [];
    if (authorized?.identity !== undefined) ctx.state.identity = authorized.identity;
    await next();
  };
}
