import type { Page, Params, Result } from '@platen/kernel';
import type { StateCookie } from './state.js';

type NewCookie = Params<'Network.setCookies'>[0]['cookies'][number];
type FoundCookie = Result<'Network.getAllCookies'>['cookies'][number];

/** A cookie with its index in the state. */
export type NumberedCookie = readonly [index: number, cookie: StateCookie];

/** A cookie that the browser rejects, by its index in the state. */
export interface RefusedCookie {
  readonly index: number;
  readonly detail: string;
}

/** Sets the cookies in the render's browser context, except expired ones. */
export async function setCookies(page: Page, cookies: readonly NumberedCookie[], target: URL): Promise<RefusedCookie | undefined> {
  const fresh = cookies.filter(([, { expires = -1 }]) => expires < 0 || expires * 1000 > Date.now());
  if (fresh.length === 0) return undefined;
  const wide = fresh.filter(([, { domain = '' }]) => domain.startsWith('.') && domain.slice(1) !== target.hostname);
  const setting = page.send('Network.setCookies', { cookies: fresh.map(([, cookie]) => toBrowser(cookie)) });
  // Sent concurrently. The response to `setCookies` does not show the resulting domain.
  const reading = wide.length > 0 ? page.send('Network.getAllCookies') : undefined;
  const [set, stored] = await Promise.allSettled([setting, reading]);
  if (set.status === 'rejected') return findRefused(page, fresh, set.reason);
  return stored.status === 'fulfilled' && stored.value ? findSuffix(wide, stored.value.cookies) : undefined;
}

/** The browser rejects the list as a whole. Setting the cookies one by one finds the invalid one. */
async function findRefused(page: Page, cookies: readonly NumberedCookie[], reason: unknown): Promise<RefusedCookie> {
  for (const [index, cookie] of cookies) {
    const taken = await page.send('Network.setCookies', { cookies: [toBrowser(cookie)] }).then(
      () => true,
      () => false,
    );
    if (!taken) return { index, detail: 'is not accepted by the browser' };
  }
  throw reason;
}

/** Browsers store a cookie for a public suffix as host-only (RFC 6265, 5.3). It is rejected unless that host is the target. */
function findSuffix(wide: readonly NumberedCookie[], stored: readonly FoundCookie[]): RefusedCookie | undefined {
  const places = new Set(stored.map(({ name, domain }) => `${domain} ${name}`));
  const found = wide.find(([, { name, domain = '' }]) => places.has(`${domain.slice(1)} ${name}`) && !places.has(`${domain} ${name}`));
  return found && { index: found[0], detail: 'must not have a public suffix, such as "co.uk", as its domain' };
}

function toBrowser({ expires = -1, partitionKey, _crHasCrossSiteAncestor = false, ...cookie }: StateCookie): NewCookie {
  const { name, value, domain, path = '/', url, httpOnly, secure, sameSite } = cookie;
  return {
    name,
    value,
    ...(domain === undefined ? {} : { domain }),
    ...(url === undefined ? { path } : { url, ...(cookie.path === undefined ? {} : { path }) }),
    ...(expires < 0 ? {} : { expires }),
    ...(httpOnly === undefined ? {} : { httpOnly }),
    ...(secure === undefined ? {} : { secure }),
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(partitionKey === undefined ? {} : { partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: _crHasCrossSiteAncestor } }),
  };
}

/** All cookies of the render's browser context, in Playwright's format. */
export async function readCookies(page: Page): Promise<readonly StateCookie[]> {
  const { cookies } = await page.send('Network.getAllCookies');
  // The partition of an opaque site disappears with its document.
  return cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque !== true).map(fromBrowser);
}

/** Browsers treat a cookie without `SameSite` as `Lax`, and Playwright writes it so. */
function fromBrowser({ name, value, domain, path, expires, httpOnly, secure, sameSite = 'Lax', partitionKey }: FoundCookie): StateCookie {
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    sameSite,
    ...(partitionKey === undefined
      ? {}
      : { partitionKey: partitionKey.topLevelSite, _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor }),
  };
}

/**
 * The cookies that no item of the parameter `cookie` replaces. An item replaces a cookie of the same name, domain and path (interface
 * specification, `with_storage`).
 */
export function withoutReplaced(cookies: readonly StateCookie[], items: readonly string[], target: URL): readonly NumberedCookie[] {
  const replaced = new Set(items.map((item) => identityOfItem(item, target)));
  return [...cookies.entries()].filter(([, cookie]) => !replaced.has(identityOf(cookie)));
}

function identityOf({ name, domain, path, url }: StateCookie): string {
  const host = domain ?? (url === undefined ? '' : new URL(url).hostname);
  return JSON.stringify([name, bare(host), path ?? '/']);
}

/** Reads the properties that identify a cookie. The plugin that defines the parameter validates the items. */
function identityOfItem(item: string, target: URL): string {
  const [pair = '', ...attributes] = item.split(';');
  const attribute = (wanted: string) =>
    attributes
      .filter((text) => text.includes('='))
      .map((text) => [text.slice(0, text.indexOf('=')).trim(), text.slice(text.indexOf('=') + 1).trim()] as const)
      .findLast(([name]) => name.toLowerCase() === wanted)?.[1];
  const path = attribute('path') ?? '';
  const domain = attribute('domain') ?? '';
  return JSON.stringify([pair.split('=', 1)[0]?.trim(), bare(domain === '' ? target.hostname : domain), path.startsWith('/') ? path : '/']);
}

function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase();
}
