import { contextKey, definePlugin, InterceptStage, type Page, type Result, Stage } from '@platen/kernel';
import { parseCookies, type ParsedCookie, refuse } from './parse-cookie.js';
import { addedHeaders, parseHeaders, withHeaders } from './target-headers.js';
import { PARAMS } from './params.js';
import { planProfile } from './plan-profile.js';
import { runScript } from './run-script.js';

/** Set once the request's script has run. It does not run again in another document after a navigation. */
const SCRIPT_RUN = contextKey<true>('target: script was run');

/** Configures the browser: viewport, device, user agent, cookies, headers, and the request's own script. */
export default definePlugin({
  name: 'target',
  params: PARAMS,
  planFor: { param: Object.keys(PARAMS) },
  plan(draft) {
    planProfile(draft, parseHeaders(draft.params.header ?? [], draft.url));
    parseCookies(draft.params.cookie ?? [], draft.url);
    if (draft.params.javascript !== undefined) draft.disableRetry('script');
  },
  apply({ hooks }) {
    hooks.beforeNavigate.tapPromise({ name: 'target', for: { param: ['header', 'cookie'] } }, async (context) => {
      const { page, intercept, params, plan, tabIndex } = context;
      const target = new URL(plan.url);
      const headers = addedHeaders(parseHeaders(params.header ?? [], target));
      if (headers.size > 0) {
        intercept.use({
          name: 'target',
          stage: InterceptStage.headers,
          request: (request) => withHeaders(request, headers, target.origin),
        });
      }
      // Further tabs share the cookies, which the site may have changed by then.
      if (tabIndex === 0) await setCookies(page, parseCookies(params.cookie ?? [], target), target);
    });
    // Before all wait conditions, which may depend on the script.
    hooks.waitFor.tapPromise({ name: 'target', stage: Stage.early, for: { param: 'javascript' } }, async (context) => {
      const { javascript } = context.params;
      if (javascript === undefined || context.get(SCRIPT_RUN)) return undefined;
      await runScript(context, javascript);
      context.set(SCRIPT_RUN, true);
      return undefined;
    });
  },
});

/** Sets the cookies in the render's browser context. Throws a 400 for a cookie that the browser rejects. */
async function setCookies(page: Page, cookies: readonly ParsedCookie[], target: URL): Promise<void> {
  if (cookies.length === 0) return;
  const setting = page.send('Network.setCookies', { cookies: cookies.map(({ cookie }) => cookie) });
  const urls = cookies.flatMap(({ cookie: { domain, path = '/' } }) => (domain === undefined ? [] : [`https://${hostOf(domain)}${path}`]));
  // Sent concurrently. The response to `setCookies` does not show the resulting domain.
  const keeping = urls.length > 0 ? page.send('Network.getCookies', { urls }) : undefined;
  const [set, stored] = await Promise.allSettled([setting, keeping]);
  if (set.status === 'rejected') await findRefused(page, cookies);
  else if (stored.status === 'fulfilled' && stored.value) refuseSuffixes(cookies, stored.value.cookies, target);
}

/** The browser rejects the list as a whole. Setting the cookies one by one finds the invalid one. */
async function findRefused(page: Page, cookies: readonly ParsedCookie[]): Promise<void> {
  for (const { cookie, index } of cookies) {
    await page.send('Network.setCookie', cookie).catch(() => refuse(index, 'is not accepted by the browser'));
  }
}

/** Browsers store a cookie for a public suffix as host-only (RFC 6265, 5.3). Throws unless that host is the target. */
function refuseSuffixes(cookies: readonly ParsedCookie[], stored: Result<'Network.getCookies'>['cookies'], target: URL): void {
  for (const { cookie, index } of cookies) {
    const { domain } = cookie;
    if (domain === undefined || hostOf(domain) === target.hostname) continue;
    const isKept = (where: string) =>
      stored.some(({ name, path, domain: found }) => name === cookie.name && path === cookie.path && found === where);
    if (isKept(hostOf(domain)) && !isKept(domain)) refuse(index, 'must not have a public suffix, such as "co.uk", as its "Domain"');
  }
}

function hostOf(domain: string): string {
  return domain.replace(/^\./, '');
}
