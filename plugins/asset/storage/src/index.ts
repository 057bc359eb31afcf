import {
  contextKey,
  definePlugin,
  isPlatenError,
  PlatenError,
  Stage,
  type Asset,
  type InferParams,
  type RenderContext,
} from '@platen/kernel';
import { loadDefault } from './load-default.js';
import { DEFAULT_LIMIT, FLAGS, PARAMS } from './params.js';
import { planStorage, refuseState, stateOf } from './plan-storage.js';
import { restoreStorage } from './restore.js';
import { saveStorage } from './save.js';
import type { StorageState } from './state.js';
import { trackOrigins, type VisitedOrigins } from './visited-origins.js';

/** What a render whose storage is asked for began with, and where it has been. */
interface Begun {
  readonly start: StorageState | undefined;
  readonly visited: VisitedOrigins;
}

const BEGUN = contextKey<Begun>('storage');
/** What was read before the page's time was held: the asset, or why there is none. */
const READ_EARLY = contextKey<Asset | PlatenError>('storage read early');

/** Cookies and site storage that a render starts from, and those that it ends with. */
export default definePlugin({
  name: 'storage',
  assets: [{ key: 'with_storage', name: 'storage' }],
  params: PARAMS,
  flags: FLAGS,
  planFor: { param: 'with_storage' },
  plan: planStorage,
  apply({ hooks, options }) {
    const fallback = options.storage === undefined ? undefined : loadDefault(options.storage);
    // Before any recorder: what is done to restore a storage is no part of the render.
    const restored = fallback === undefined ? { param: 'with_storage' } : undefined;
    hooks.beforeNavigate.tapPromise({ name: 'storage', stage: Stage.first, for: restored }, async (context) => {
      const { with_storage: wanted } = context.params;
      const given = stateOf(context.params);
      const start = given ?? (wanted === false ? undefined : fallback);
      if (start !== undefined) await restoreStorage(context, start, given === undefined ? brokenDefault : refuseState);
      if (wanted === true || given !== undefined) context.set(BEGUN, { start, visited: trackOrigins(context.page) });
    });
    // While a film is made the page's time stands still, and databases and caches would never answer. After all that changes the page.
    hooks.beforeCapture.tapPromise({ name: 'storage', stage: Stage.last, for: { asset: 'with_storage' } }, async (context) => {
      const begun = context.get(BEGUN);
      if (begun === undefined || context.plan.capture.pausesVirtualTime !== true) return;
      context.set(READ_EARLY, await readEarly(context, begun));
    });
    // After every other recorder and tree: the page may be led away.
    hooks.additionalAssets.tapPromise({ name: 'storage', stage: Stage.last, for: { asset: 'with_storage' } }, async (context, assets) => {
      const begun = context.get(BEGUN);
      if (begun === undefined) return;
      const early = context.get(READ_EARLY);
      if (isPlatenError(early)) throw early;
      await assets.add(early ?? (await save(context, begun)));
    });
  },
});

type StorageParams = InferParams<typeof PARAMS>;

function save(context: RenderContext<StorageParams>, begun: Begun): Promise<Asset> {
  return saveStorage(context, { ...begun, limit: context.params.storage_limit ?? DEFAULT_LIMIT });
}

/** What goes wrong is a missing asset, when they are collected, and no failure of the render; but for the render's own end. */
async function readEarly(context: RenderContext<StorageParams>, begun: Begun): Promise<Asset | PlatenError> {
  context.setWaitReason("the page's storage");
  try {
    return await save(context, begun);
  } catch (error) {
    context.signal.throwIfAborted();
    if (isPlatenError(error)) return error;
    throw error;
  }
}

/** No fault of the request: the operator's file has something that the browser does not take. */
function brokenDefault(path: string, detail: string): PlatenError {
  return new PlatenError('plugin_failed', `the file of --storage: "storage.${path}" ${detail}`);
}
