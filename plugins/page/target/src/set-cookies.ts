import type { Page, Result } from '@platen/kernel';
import { type ParsedCookie, refuse } from './parse-cookie.js';

/** Sets the cookies in the render's browser context. Throws a 400 for a cookie that the browser rejects. */
export async function setCookies(page: Page, cookies: readonly ParsedCookie[], target: URL): Promise<void> {
  if (cookies.length === 0) return;
  const setting = page.send('Network.setCookies', { cookies: cookies.map(({ cookie }) => cookie) });
  const urls = cookies.flatMap(({ cookie: { domain, path = '/' } }) => (domain === undefined ? [] : [`https://${hostOf(domain)}${path}`]));
  // Sent concurrently. The response to `setCookies` does not show the resulting domain.
  const keeping = urls.length > 0 ? page.send('Network.getCookies', { urls }) : undefined;
  const [set, kept] = await Promise.allSettled([setting, keeping]);
  if (set.status === 'rejected') await findRefused(page, cookies);
  else if (kept.status === 'fulfilled' && kept.value) refuseSuffixes(cookies, kept.value.cookies, target);
}

/** The browser rejects the list as a whole. Setting the cookies one by one finds the invalid one. */
async function findRefused(page: Page, cookies: readonly ParsedCookie[]): Promise<void> {
  for (const { cookie, index } of cookies) {
    await page.send('Network.setCookie', cookie).catch(() => refuse(index, 'is not one that the browser accepts'));
  }
}

/** Browsers store a cookie for a public suffix as host-only (RFC 6265, 5.3). Throws unless that host is the target. */
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
