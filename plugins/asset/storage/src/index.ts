import { contextKey, definePlugin, PlatenError, Stage } from '@platen/kernel';
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

/** Cookies and site storage that a render starts from, and those that it ends with. */
export default definePlugin({
  name: 'storage',
  assets: [{ key: 'with_storage', name: 'storage' }],
  params: PARAMS,
  flags: FLAGS,
  plan: planStorage,
  apply({ hooks, options }) {
    const fallback = options.storage === undefined ? undefined : loadDefault(options.storage);
    // Before any recorder: what is done to restore a storage is no part of the render.
    hooks.beforeNavigate.tapPromise({ name: 'storage', stage: Stage.first }, async (context) => {
      const { with_storage: wanted } = context.params;
      const given = stateOf(context.params);
      const start = given ?? (wanted === false ? undefined : fallback);
      if (start !== undefined) await restoreStorage(context, start, given === undefined ? brokenDefault : refuseState);
      if (wanted === true || given !== undefined) context.set(BEGUN, { start, visited: trackOrigins(context.page) });
    });
    // After every other recorder and tree: the page may be led away.
    hooks.additionalAssets.tapPromise({ name: 'storage', stage: Stage.last }, async (context, assets) => {
      const begun = context.get(BEGUN);
      if (begun === undefined) return;
      await assets.add(await saveStorage(context, { ...begun, limit: context.params.storage_limit ?? DEFAULT_LIMIT }));
    });
  },
});

/** No fault of the request: the operator's file has something that the browser does not take. */
function brokenDefault(path: string, detail: string): PlatenError {
  return new PlatenError('plugin_failed', `the file of --storage: "storage.${path}" ${detail}`);
}
