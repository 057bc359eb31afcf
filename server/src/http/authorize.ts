import { isPlatenError, PlatenError } from '@platen/kernel';
import type { Middleware } from 'koa';
import type { AuthorizeRequest, ServerHooks } from '../service/hooks.js';
import type { RequestState } from '../service/request-state.js';

/** Asks the plugins whether the request is allowed; if none of them checks credentials, every request is. */
export function authorize(hooks: ServerHooks): Middleware<RequestState> {
  return async (ctx, next) => {
    const { authorization } = ctx.req.headersDistinct;
    const ways: string[] = [];
    const asked = hooks.authorize.promise({
      id: ctx.state.id,
      method: ctx.method,
      path: ctx.path,
      query: ctx.querystring,
      // Node uses the first of several headers, and another parser may use the last.
      headers: authorization === undefined || authorization.length === 1 ? ctx.headers : { ...ctx.headers, authorization },
      header(name, value) {
        ctx.set(name, value);
      },
      strip(...names) {
        ctx.state.strip = [...ctx.state.strip, ...names];
      },
      addChallenge(way) {
        ways.push(way);
      },
      allowCrossSite() {
        ctx.state.allowsCrossSite = true;
      },
    });
    const authorized = await asked.catch((error: unknown) => {
      throw isPlatenError(error) && error.details.reason === 'missing_credential' ? withWays(error, ways) : error;
    });
    if (authorized?.identity !== undefined) ctx.state.identity = authorized.identity;
    ctx.state.mayPurgeAll = authorized?.mayPurgeAll === true;
    await next();
  };
}

/** Whether such a request is allowed without credentials. */
export async function isOpen(
  { authorize: hook }: Pick<ServerHooks, 'authorize'>,
  request: Pick<AuthorizeRequest, 'method' | 'path'>,
): Promise<boolean> {
  const nothing = () => undefined;
  const anonymous = {
    ...request,
    id: '',
    query: '',
    headers: {},
    header: nothing,
    strip: nothing,
    addChallenge: nothing,
    allowCrossSite: nothing,
  };
  return await hook.promise(anonymous).then(
    () => true,
    () => false,
  );
}

/** A tap that rejects a request knows only its own way to authenticate. */
function withWays(error: PlatenError, ways: readonly string[]): PlatenError {
  const { code, message, plugin, hook, details } = error;
  const owner = { ...(plugin === undefined ? {} : { plugin }), ...(hook === undefined ? {} : { hook }) };
  return ways.length === 0 ? error : new PlatenError(code, [message, ...ways].join(', or '), { ...details, ...owner, cause: error.cause });
}
