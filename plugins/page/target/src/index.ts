import { contextKey, definePlugin, InterceptStage, Stage } from '@platen/kernel';
import { parseCookies } from './parse-cookie.js';
import { addedHeaders, parseHeaders, withHeaders } from './target-headers.js';
import { PARAMS } from './params.js';
import { planProfile } from './plan-profile.js';
import { runScript } from './run-script.js';
import { setCookies } from './set-cookies.js';

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
    hooks.beforeNavigate.tapPromise({ name: 'target', for: { param: ['header', 'cookie'] } }, async ({ page, intercept, params, plan }) => {
      const target = new URL(plan.url);
      const headers = addedHeaders(parseHeaders(params.header ?? [], target));
      if (headers.size > 0) {
        intercept.use({
          name: 'target',
          stage: InterceptStage.headers,
          request: (request) => withHeaders(request, headers, target.origin),
        });
      }
      await setCookies(page, parseCookies(params.cookie ?? [], target), target);
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
