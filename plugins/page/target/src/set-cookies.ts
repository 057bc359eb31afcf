import type { Page, Result } from '@platen/kernel';
import { type ParsedCookie, refuse } from './parse-cookie.js';

/** Puts the cookies into the render's own browser context. Throws a 400 for one that the browser will not have. */
export async function setCookies(page: Page, cookies: readonly ParsedCookie[], target: URL): Promise<void> {
  if (cookies.length === 0) return;
  const setting = page.send('Network.setCookies', { cookies: cookies.map(({ cookie }) => cookie) });
  const urls = cookies.flatMap(({ cookie: { domain, path = '/' } }) => (domain === undefined ? [] : [`https://${hostOf(domain)}${path}`]));
  // Sent along with it: of what the browser makes of a domain it says nothing.
  const keeping = urls.length > 0 ? page.send('Network.getCookies', { urls }) : undefined;
  const [set, kept] = await Promise.allSettled([setting, keeping]);
  if (set.status === 'rejected') await findRefused(page, cookies);
  else if (kept.status === 'fulfilled' && kept.value) refuseSuffixes(cookies, kept.value.cookies, target);
}

/** The browser refuses the list as a whole; which of them it was shows one at a time. */
async function findRefused(page: Page, cookies: readonly ParsedCookie[]): Promise<void> {
  for (const { cookie, index } of cookies) {
    await page.send('Network.setCookie', cookie).catch(() => refuse(index, 'is not one that the browser accepts'));
  }
}

/** A cookie for a public suffix is kept for the host of that name alone (RFC 6265, 5.3), where nobody wants it but that host. */
function refuseSuffixes(cookies: readonly ParsedCookie[], kept: Result<'Network.getCookies'>['cookies'], target: URL): void {
  for (const { cookie, index } of cookies) {
    const { domain } = cookie;
    if (domain === undefined || hostOf(domain) === target.hostname) continue;
    const isKept = (where: string) =>
      kept.some(({ name, path, domain: found }) => name === cookie.name && path === cookie.path && found === where);
    if (isKept(hostOf(domain)) && !isKept(domain)) refuse(index, 'must not have a public suffix, such as "co.uk", as its "Domain"');
  }
}

function hostOf(domain: string): string {
  return domain.replace(/^\./, '');
}
