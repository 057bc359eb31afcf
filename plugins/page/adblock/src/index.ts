import { coalesceRuns, definePlugin, type Fragments, PlatenError, Stage } from '@platen/kernel';
import type {} from '@platen/server';
import { createFilter } from './create-filter.js';
import { LIST_NAMES } from './public-lists.js';

const FLAGS = {
  'adblock-rules': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    'x-single': true,
    description:
      'Filter list in EasyList syntax: a file, an http(s) URL, or the name of a public list. May be repeated. Matching requests are blocked, matching elements hidden.',
    'x-values': LIST_NAMES,
    examples: [['easylist', '/etc/platen/own.txt']],
  },
  'server-update-adblock-interval': {
    type: 'integer',
    description:
      'Interval in seconds at which a server reloads the lists of --adblock-rules. If a list is unavailable, the old rules stay active.',
    minimum: 1,
    maximum: 2_147_483,
    examples: [86_400],
    'x-tier': 'enterprise',
  },
} as const satisfies Fragments;

const PARAMS = {
  block_ads: {
    type: 'boolean',
    description:
      'Whether the filter lists of this server (`--adblock-rules`) apply to the render; by default they do. `true` is an error if there are none.',
    'x-extension': true,
    'x-synonyms': { adblock: true, block_trackers: true, ad_block: true, no_ads: true, block_ad: true },
    'x-search': ['ads', 'advertising', 'trackers'],
  },
} as const satisfies Fragments;

/** Blocks requests and hides elements that match filter lists in EasyList syntax. Without lists it acts only if asked to. */
export default definePlugin({
  name: 'adblock',
  params: PARAMS,
  flags: FLAGS,
  apply({ hooks, options, outbound, log }) {
    const sources = options['adblock-rules'] ?? [];
    if (sources.length === 0) {
      hooks.beforeOpen.tap({ name: 'adblock', for: { param: 'block_ads' } }, ({ params }) => {
        if (params.block_ads === true) throw noListError();
      });
      return undefined;
    }
    const filter = createFilter({ sources, outbound, log });
    hooks.beforeOpen.tap({ name: 'adblock', stage: Stage.first }, ({ plan: { url }, params, file }) => {
      const rule = params.block_ads === false ? undefined : filter.ruleAgainst(url, file?.referrer);
      if (rule === undefined) return;
      throw new PlatenError('target_blocked', `the target is blocked by this server's adblock rule "${rule}"`, {
        target: { url: withoutCredentials(url), net_error: 'net::ERR_BLOCKED_BY_CLIENT' },
      });
    });
    hooks.beforeNavigate.tap({ name: 'adblock', stage: Stage.early }, (context) => {
      if (context.params.block_ads !== false) filter.openRender(context);
    });
    hooks.beforeCapture.tapPromise({ name: 'adblock', stage: Stage.first }, (context) => filter.settled(context));
    return filter;
  },
  async prepare(_, filter) {
    await filter?.load();
  },
  serve({ hooks }, { options, log }, filter) {
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
    // Unavailable lists never reject a reload, so the reload does not wait for slow sources.
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

function noListError(): PlatenError {
  return new PlatenError(
    'feature_unavailable',
    '"block_ads" needs a filter list, and this server has none: it is started with --adblock-rules',
  );
}

function withoutCredentials(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search}`;
}
