import {
  type BaseRenderContext,
  beforeLateCapture,
  contextKey,
  definePlugin,
  outboundThrough,
  readUrl,
  type RenderContext,
  Stage,
} from '@platen/kernel';
import { ALLOWED, checkUrl, createRobotsCache, refusal, uncheckableHost } from './check-url.js';
import { exemptFromRobots, robots, type Robots } from './keys.js';

/** The URL checked last, without its fragment. */
const checked = contextKey<string>('robots.checked');
/** The rules of a render with a proxy of its own. */
const ownCache = contextKey<ReturnType<typeof createRobotsCache>>('robots.cache');

/** Renders only pages that the target's robots.txt allows (RFC 9309). */
export default definePlugin({
  name: 'robots',
  params: {
    skip_robots_txt: {
      type: 'boolean',
      description: "Render the target even if its site's robots.txt disallows it.",
      default: false,
      'x-tier': 'enterprise',
    },
  },
  apply({ hooks, outbound }) {
    const cache = createRobotsCache({ ask: (url, options) => outbound.fetch(url, options) });
    const checkerOf = (context: Pick<BaseRenderContext, 'plan' | 'get' | 'set'>) => {
      const { proxy, offline } = context.plan.browser;
      // No server is asked for anything.
      if (offline === true) return () => Promise.resolve(ALLOWED);
      let own = proxy === undefined ? cache : context.get(ownCache);
      if (own === undefined) {
        // What a proxy of the request returns is not for other renders.
        own = createRobotsCache({ ask: outboundThrough(proxy, outbound).fetch });
        context.set(ownCache, own);
      }
      const rules = own;
      return (url: URL) => (context.get(exemptFromRobots)?.(url) === true ? Promise.resolve(ALLOWED) : checkUrl(rules, url));
    };
    const checkShown = (context: RenderContext) => {
      const shown = context.page.currentResponse();
      return checkNavigation(checkerOf(context), context, shown?.url ?? context.response?.url);
    };
    // Prefetches the rules while the page is opened.
    hooks.beforeOpen.tap({ name: 'robots', stage: Stage.late }, (context) => {
      if (context.params.skip_robots_txt !== true) void checkerOf(context)(new URL(context.plan.url));
    });
    hooks.beforeNavigate.tap('robots', (context) => {
      if (context.params.skip_robots_txt === true) return;
      context.set(robots, { check: checkerOf(context) });
      context.set(beforeLateCapture, checkShown);
    });
    // Before other plugins navigate.
    hooks.navigate.tapPromise({ name: 'robots', stage: Stage.first }, async (context) => {
      const { params, plan, setWaitReason } = context;
      if (params.skip_robots_txt === true) return undefined;
      const target = new URL(plan.url);
      setWaitReason(`${target.origin}/robots.txt`);
      const result = await checkerOf(context)(target);
      // Without a connection the browser reports a better error. If it connects after all, the URL is checked below.
      if (!result.allowed && !result.unconnected) throw refusal(result, target);
      return undefined;
    });
    // Checks the URL after redirects.
    hooks.waitFor.tapPromise({ name: 'robots', stage: Stage.first }, async (context) => {
      if (context.params.skip_robots_txt !== true) await checkNavigation(checkerOf(context), context, context.response?.url);
      return undefined;
    });
    // Checks the URL that is captured, after navigations by scripts and all plugins that change the page.
    hooks.beforeCapture.tapPromise({ name: 'robots', stage: Stage.last }, async (context) => {
      if (context.params.skip_robots_txt !== true) await checkShown(context);
    });
  },
});

/** Throws if robots.txt disallows a document that has already loaded, by default the target. Skips a repeated check of the same URL. */
async function checkNavigation(check: Robots['check'], context: RenderContext, visited = context.plan.url): Promise<void> {
  const url = readUrl(visited);
  if (url === undefined) throw uncheckableHost(visited);
  const { origin, pathname, search } = url;
  const address = `${origin}${pathname}${search}`;
  if (context.get(checked) === address) return;
  if (origin !== 'null') context.setWaitReason(`${origin}/robots.txt`);
  const first = await check(url);
  // The browser is connected, so a result without a connection may be from an earlier fetch that another render started.
  const result = first.unconnected ? await check(url) : first;
  if (!result.allowed) throw refusal(result, url);
  // A supplied document may be followed by that of the site.
  if (result !== ALLOWED) context.set(checked, address);
}
