import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { PlatenError } from '@platen/kernel';
import type { Middleware } from 'koa';
import type { FlagValues } from '../service/hooks.js';
import type { RequestState } from '../service/request-state.js';
import type { ServerContext } from './server-context.js';
import { normalizeOrigin, readAllowedOrigins, textsOf } from './allow-origins.js';
import type { Bound } from './listeners.js';

export interface OriginCheckOptions {
  /** `server-allowed-hosts` and `server-allowed-origins`. */
  readonly flags: FlagValues;
  /** The listener on which the request arrived. */
  boundOf(request: IncomingMessage): Bound;
}

/**
 * Rejects requests that a browser sends on behalf of another site: by a name that was rebound to this server (`Host`), from another origin
 * (`Origin` of RFC 6454, `Sec-Fetch-Site` of W3C Fetch Metadata), or for execution on this server's own origin (`Sec-Fetch-Dest`). Host and
 * site are checked on a loopback address; on other addresses only if one of the two flags is set. Clients that send none of these headers
 * pass. Runs after authorization, which finds the signature that permits a cross-site request, and before every route of every listener.
 */
export function checkOrigin({ flags, boundOf }: OriginCheckOptions): Middleware<RequestState> {
  const hosts = new Set(textsOf(flags['server-allowed-hosts']).map((name) => normalizeName(domainToASCII(name))));
  const origins = readAllowedOrigins(flags);
  return async (ctx, next) => {
    refuseExecution(ctx);
    const { isLoopback, host } = boundOf(ctx.req);
    const authority = authorityOf(ctx.req);
    const isOwnName = (name: string) => name === 'localhost' || hosts.has(name) || name === normalizeName(host);
    if ((isLoopback || hosts.size > 0) && !isOwnHost(authority, isOwnName)) throw unknownHost(authority);
    if ((isLoopback || hosts.size > 0 || origins.size > 0) && isForeign(ctx, authority) && !isPermitted(ctx, origins)) throw foreignSite();
    await next();
  };
}

/** Responses at these paths contain data from targets. */
const RENDERED: ReadonlySet<string> = new Set(['/', '/assets']);
/** Destinations that a page executes, or applies, as its own (Fetch standard, 2.2.5): never an image, a document or a download. */
const EXECUTED: ReadonlySet<string> = new Set([
  'audioworklet',
  'paintworklet',
  'script',
  'serviceworker',
  'sharedworker',
  'style',
  'worker',
  'xslt',
]);

function refuseExecution(ctx: ServerContext): void {
  if (!RENDERED.has(ctx.path)) return;
  // A copy that a browser has cached as an image must not be used for a script element.
  ctx.vary('Sec-Fetch-Dest');
  const destination = ctx.get('Sec-Fetch-Dest');
  if (!EXECUTED.has(destination)) return;
  throw new PlatenError('origin_refused', `rendered content may not be loaded as "${destination}": embed it as an image, or fetch it`);
}

/** Host and port as the client wrote them; of a request target in absolute form, the target's host and port (RFC 9112, 3.2.2). */
function authorityOf({ url = '', headers: { host } }: IncomingMessage): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1] ?? host;
}

/**
 * A name can be rebound to this server's address (DNS rebinding), an IP address cannot. The port is not compared: forwarding changes it. An
 * HTTP/1.0 client may omit the host; browsers always send it.
 */
function isOwnHost(authority: string | undefined, isOwnName: (name: string) => boolean): boolean {
  if (authority === undefined || authority === '') return true;
  const [, bracketed, name = ''] = /^(?:\[([\da-f:.]+)\]|([^\s:@[\]]+))(?::\d*)?$/i.exec(authority) ?? [];
  if (bracketed === undefined) return isIP(name) === 4 ? !name.startsWith('0.') : isOwnName(normalizeName(name));
  return isIP(bracketed) === 6 && !LOOPBACK_ALIAS.test(new URL(`http://[${bracketed}]/`).hostname);
}

/**
 * `::` and IPv4-mapped addresses, which lead to a loopback listener as 0.0.0.0/8 does. Chromium does not count them as trustworthy (W3C Secure
 * Contexts, 3.1) and omits `Sec-Fetch-Site`.
 */
const LOOPBACK_ALIAS = /^\[::(ffff:[\da-f]+:[\da-f]+)?\]$/;

/** The browser's own headers take precedence: a proxy in front may have changed the host, and `Origin` then differs from it. */
function isForeign(ctx: ServerContext, authority: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site === 'cross-site' || site === 'same-origin') return site === 'cross-site';
  const origin = ctx.get('Origin');
  return origin !== '' && !isSameHost(origin, authority ?? '');
}

function isSameHost(origin: string, authority: string): boolean {
  if (!/^https?:/i.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  // The scheme may be that of a proxy in front; it decides which port is omitted.
  return URL.canParse(`${protocol}//${authority}`) && new URL(`${protocol}//${authority}`).host === host;
}

/**
 * Allowed by a signature, by an asset's unguessable id, or by the origin: `Origin`, or, for requests without it (images, links), the origin
 * in `Referer`. No page can set `Referer` to a different site than its own.
 */
function isPermitted(ctx: ServerContext, origins: ReadonlySet<string>): boolean {
  if (ctx.state.allowsCrossSite || ctx.path === '/assets') return true;
  const { origin = ctx.headers.referer?.match(/^[^/]*\/\/[^/]*/)?.[0] } = ctx.headers;
  return origin !== undefined && origins.has(normalizeOrigin(origin));
}

/** In lower case, without the trailing dot of the root domain. */
function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function unknownHost(authority = ''): PlatenError {
  const text = `this server is not known as "${authority.slice(0, 100)}": use its IP address or localhost, or add the name to --server-allowed-hosts`;
  return new PlatenError('origin_refused', text);
}

function foreignSite(): PlatenError {
  return new PlatenError(
    'origin_refused',
    'a page of another site may not send requests to this server: open the address directly, use a signed URL, or add the origin of the site to --server-allowed-origins',
  );
}
