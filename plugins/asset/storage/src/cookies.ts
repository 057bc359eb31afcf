import type { Page, Params, Result } from '@platen/kernel';
import type { StateCookie } from './state.js';

type NewCookie = Params<'Network.setCookies'>[0]['cookies'][number];
type FoundCookie = Result<'Network.getAllCookies'>['cookies'][number];

/** A cookie with its number in the state. */
export type NumberedCookie = readonly [index: number, cookie: StateCookie];

/** Puts the cookies into the render's own browser context, but those that have expired. Gives the number of one that the browser will not have. */
export async function setCookies(page: Page, cookies: readonly NumberedCookie[]): Promise<number | undefined> {
  const fresh = cookies.filter(([, { expires = -1 }]) => expires < 0 || expires * 1000 > Date.now());
  if (fresh.length === 0) return undefined;
  const set = (some: readonly NumberedCookie[]) =>
    page.send('Network.setCookies', { cookies: some.map(([, cookie]) => toBrowser(cookie)) });
  try {
    await set(fresh);
    return undefined;
  } catch (error) {
    // The browser refuses the list as a whole; which of them it was shows one at a time.
    for (const one of fresh) {
      const taken = await set([one]).then(
        () => true,
        () => false,
      );
      if (!taken) return one[0];
    }
    throw error;
  }
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

/** All cookies of the render's browser context, in Playwright's form. */
export async function readCookies(page: Page): Promise<readonly StateCookie[]> {
  const { cookies } = await page.send('Network.getAllCookies');
  // A partition of an opaque site is lost with its document.
  return cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque !== true).map(fromBrowser);
}

/** Without an attribute of its own a cookie is `Lax` to browsers, and Playwright says so. */
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

/** The cookies that no item of the parameter `cookie` replaces: one of the same name, domain and path (interface specification, `with_storage`). */
export function withoutReplaced(cookies: readonly StateCookie[], items: readonly string[], target: URL): readonly NumberedCookie[] {
  const replaced = new Set(items.map((item) => identityOfItem(item, target)));
  return [...cookies.entries()].filter(([, cookie]) => !replaced.has(identityOf(cookie)));
}

function identityOf({ name, domain, path, url }: StateCookie): string {
  const host = domain ?? (url === undefined ? '' : new URL(url).hostname);
  return JSON.stringify([name, bare(host), path ?? '/']);
}

/** The items are judged by who owns the parameter; this reads from them what tells one cookie from another. */
function identityOfItem(item: string, target: URL): string {
  const [pair = '', ...attributes] = item.split(';');
  const attribute = (wanted: string) =>
    attributes.map((text) => /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(text)).findLast((found) => found?.[1]?.toLowerCase() === wanted)?.[2];
  const path = attribute('path') ?? '';
  const domain = attribute('domain') ?? '';
  return JSON.stringify([pair.split('=', 1)[0]?.trim(), bare(domain === '' ? target.hostname : domain), path.startsWith('/') ? path : '/']);
}

function bare(domain: string): string {
  return domain.replace(/^\./, '').toLowerCase();
}
