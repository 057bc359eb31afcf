import { definePlugin, Stage } from '@platen/kernel';
import { checkUrl, refusal } from './check-url.js';
import { checkNavigation } from './check-navigation.js';
import { robots } from './keys.js';
import { createRobotsCache } from './robots-cache.js';

/** Renders only what the target's robots.txt allows (RFC 9309). */
export default definePlugin({
  name: 'robots',
  params: {
    skip_robots_txt: {
      type: 'boolean',
      description: "Render the target whatever its site's robots.txt says.",
      default: false,
      'x-tier': 'enterprise',
    },
  },
  apply({ hooks, outbound }) {
    const cache = createRobotsCache({ ask: (url, options) => outbound.fetch(url, options) });
    const check = (url: URL) => checkUrl(cache, url);
    // On its way while the page is opened.
    hooks.beforeOpen.tap({ name: 'robots', stage: Stage.late }, ({ params, plan }) => {
      if (params.skip_robots_txt !== true) void check(new URL(plan.url));
    });
    hooks.beforeNavigate.tap('robots', (context) => {
      if (context.params.skip_robots_txt !== true) context.set(robots, { check });
    });
    // Before whoever else navigates.
    hooks.navigate.tapPromise({ name: 'robots', stage: Stage.first }, async ({ params, plan, setWaitReason }) => {
      if (params.skip_robots_txt === true) return undefined;
      const target = new URL(plan.url);
      setWaitReason(`${target.origin}/robots.txt`);
      const result = await check(target);
      // Without a connection to the site the browser tells why, in words of its own; if it has one after all, it is judged below.
      if (!result.allowed && !result.unconnected) throw refusal(result, target);
      return undefined;
    });
    // Where the target has redirected to.
    hooks.waitFor.tapPromise({ name: 'robots', stage: Stage.first }, async (context) => {
      if (context.params.skip_robots_txt !== true) await checkNavigation(check, context, context.response?.url);
      return undefined;
    });
    // Where its scripts have led to, and all that changes the page: what is captured.
    hooks.beforeCapture.tapPromise({ name: 'robots', stage: Stage.last }, async (context) => {
      if (context.params.skip_robots_txt !== true) {
        const shown = await context.page.currentResponse();
        await checkNavigation(check, context, shown?.url ?? context.response?.url);
      }
    });
  },
});
