import { planRequest, type RenderServiceParts } from '../service/render-service.js';
import type { ServerContext } from './server-context.js';
import type { GivenParams } from './read-params.js';

/**
 * Responds to `Prefer: respond-async` (RFC 7240) with 202, if a plugin renders later: the parameters are valid, and nothing else has
 * happened yet. Returns false if the client is to wait for the render; RFC 7240 lets a server ignore a preference.
 *
 * @throws PlatenError as the render would for its parameters, and the errors of the plugin
 */
export async function deferRender(
  ctx: ServerContext,
  { kernel, hooks }: Pick<RenderServiceParts, 'kernel' | 'hooks'>,
  given: GivenParams,
): Promise<boolean> {
  if (!hooks.defer.isUsed()) return false;
  ctx.vary('Prefer');
  if (ctx.method === 'HEAD' || !prefersAsync(ctx.get('Prefer'))) return false;
  const { id, trace, endpoint, identity } = ctx.state;
  const plan = planRequest(kernel, given);
  ctx.state.format = plan.output.type;
  const deferred = await hooks.defer.promise({
    id,
    endpoint,
    ...given,
    plan,
    ...(trace === undefined ? {} : { trace }),
    ...(identity === undefined ? {} : { identity }),
    requestHeader: (name) => ctx.get(name),
  });
  if (deferred === undefined) return false;
  ctx.status = 202;
  ctx.set({ Location: deferred.location, 'Preference-Applied': 'respond-async', 'Retry-After': '1', 'Cache-Control': 'no-store' });
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(deferred.body);
  return true;
}

/** The preference has no value (RFC 7240, 4.1). Quoted values of others are removed first, since they may contain commas. */
function prefersAsync(header: string): boolean {
  return /(?:^|,)\s*respond-async\s*(?:$|[,;])/i.test(header.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'));
}
