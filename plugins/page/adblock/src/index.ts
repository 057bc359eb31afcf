import { definePlugin, coalesceRuns, PlatenError, Stage, type PluginApi } from '@platen/kernel';
import type {} from '@platen/server';
import { createFilter, type Filter } from './create-filter.js';
import { FLAGS } from './flags.js';

type Api = PluginApi<unknown, readonly [], typeof FLAGS>;

/** One for each kernel, by what it hands to the plugin. */
const filters = new WeakMap<Api['outbound'], Filter>();

/** Blocks and hides what filter lists in EasyList syntax name. Without lists it taps nothing. */
export default definePlugin({
  name: 'adblock',
  flags: FLAGS,
  apply({ hooks, options, outbound, log }) {
    const sources = options['adblock-rules'] ?? [];
    if (sources.length === 0) return;
    const filter = createFilter({ sources, outbound, log });
    filters.set(outbound, filter);
    hooks.beforeOpen.tap({ name: 'adblock', stage: Stage.first }, ({ plan: { url } }) => {
      const rule = filter.ruleAgainst(url);
      if (rule === undefined) return;
      throw new PlatenError('target_blocked', `the target is blocked by this server's adblock rule "${rule}"`, {
        target: { url: withoutCredentials(url), net_error: 'net::ERR_BLOCKED_BY_CLIENT' },
      });
    });
    hooks.beforeNavigate.tap({ name: 'adblock', stage: Stage.early }, (context) => {
      filter.openRender(context);
    });
    hooks.beforeCapture.tapPromise({ name: 'adblock', stage: Stage.first }, (context) => filter.settled(context));
  },
  async prepare({ outbound }) {
    await filters.get(outbound)?.load();
  },
  serve({ hooks }, { outbound, options, log }) {
    const filter = filters.get(outbound);
    const seconds = options['server-update-adblock-interval'];
    let timer: NodeJS.Timeout | undefined;
    if (filter === undefined) {
      if (seconds !== undefined) log.warn({}, '--server-update-adblock-interval has no effect without --adblock-rules');
      return;
    }
    hooks.check.tapPromise('adblock', () => filter.check());
    const refresh = coalesceRuns(async () => {
      const apply = await filter.reread();
      apply();
    });
    hooks.start.tap('adblock', () => {
      if (seconds !== undefined) timer = setInterval(refresh, seconds * 1000).unref();
    });
    // Rules that cannot be had again never refuse a reload: it need not wait for those who do not answer.
    hooks.reload.tap('adblock', (_, commit) => {
      commit(refresh);
    });
    hooks.digests.tap('adblock', (digests) => ({ ...digests, adblock: filter.digest }));
    hooks.stop.tap('adblock', () => {
      clearInterval(timer);
    });
    hooks.status.tap('adblock', (report) => ({ ...report, adblock: filter.report() }));
  },
});

function withoutCredentials(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search}`;
}
