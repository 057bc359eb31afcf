import { addSourceUrl, definePlugin, type Fragments, InterceptStage, matchesGlob, PlatenError, withoutUserinfo } from '@platen/kernel';
import { blockSockets } from './block-sockets.js';
import { announcedTypes, readType } from './request-types.js';

const PARAMS = {
  block_resource_type: {
    type: 'array',
    items: { type: 'string', enum: ['image', 'font', 'media', 'stylesheet', 'script', 'xhr', 'fetch', 'websocket', 'other'] },
    minItems: 1,
    'x-single': true,
    description:
      'Types of requests that are blocked before they leave; `other` includes frames and workers. The page itself is never blocked.',
    examples: [['image', 'font', 'media']],
    'x-extension': true,
    'x-synonyms': {
      ...{ block: true, block_resources: true, block_resource_types: true, reject_resource_type: true, reject_resource_types: true },
      ...{ skip_resource_types: true, exclude_resource_types: true },
    },
    'x-search': ['images'],
  },
  block_url: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: 1000,
    'x-single': true,
    description: 'Globs of URLs: matching requests are blocked before they leave, WebSockets too. `*` matches any characters.',
    examples: [['*://*.example.net/*', '*/analytics.js*']],
    'x-extension': true,
    'x-synonyms': {
      ...{ block: true, block_urls: true, block_request: true, block_requests: true, reject_request_pattern: true },
      ...{ reject_request_patterns: true, block_url_pattern: true },
    },
  },
} as const satisfies Fragments;

const ANY = { param: Object.keys(PARAMS) };

/** Blocks requests of pages by type and URL. Renders without its keys are not intercepted. */
export default definePlugin({
  name: 'block',
  params: PARAMS,
  planFor: { param: 'block_url' },
  plan({ params: { block_url: globs = [] }, url, refuse }) {
    const glob = globs.find((each) => matchesUrl(each, url));
    if (glob !== undefined) refuse('block_url', `"block_url" must not match "url" itself: ${JSON.stringify(glob)} does`);
  },
  apply({ hooks }) {
    // Pages and files of a walk: the first target does not match.
    hooks.beforeOpen.tap({ name: 'block', for: { param: 'block_url' } }, ({ plan: { url }, params: { block_url: globs = [] } }) => {
      if (!globs.some((glob) => matchesUrl(glob, new URL(url)))) return;
      throw new PlatenError('target_blocked', 'the URL matches "block_url"', {
        target: { url: withoutUserinfo(url), net_error: 'net::ERR_BLOCKED_BY_CLIENT' },
      });
    });
    hooks.beforeNavigate.tap({ name: 'block', for: ANY }, ({ params, intercept, page }) => {
      const types = new Set<string>(params.block_resource_type);
      const globs = params.block_url ?? [];
      const sockets = types.delete('websocket') ? ['*'] : globs;
      if (types.size > 0 || globs.length > 0) {
        const typeOf = types.has('xhr') === types.has('fetch') ? readType : announcedTypes(page.targets);
        intercept.use({
          name: 'block',
          stage: InterceptStage.filter,
          async request(request) {
            const { url, resourceType, frameId, target } = request;
            const isPage = resourceType === 'Document' && target.kind === 'page' && frameId === target.targetId;
            const isBlocked = globs.some((glob) => matchesUrl(glob, url)) || (!isPage && types.has(await typeOf(request)));
            return isBlocked ? { fail: 'BlockedByClient' } : undefined;
          },
        });
      }
      // Interception does not see WebSockets.
      if (sockets.length === 0) return;
      const source = addSourceUrl(`(${blockSockets.toString()})(${JSON.stringify(sockets)}, ${matchesGlob.toString()});`);
      page.targets.configure((target) => target.inject(source));
    });
  },
});

/** Requests have no fragment, and no credentials. */
function matchesUrl(glob: string, { href, hash, username, password }: URL): boolean {
  const plain = hash === '' ? href : href.slice(0, -hash.length);
  return matchesGlob(glob, username || password ? withoutUserinfo(plain) : plain);
}
