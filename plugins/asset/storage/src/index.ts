import {
  type Asset,
  contextKey,
  definePlugin,
  type InferParams,
  invalidParameter,
  isPlatenError,
  type PlanDraft,
  PlatenError,
  type RenderContext,
  Stage,
} from '@platen/kernel';
import { DEFAULT_LIMIT, FLAGS, PARAMS } from './params.js';
import { restoreStorage } from './restore.js';
import { saveStorage } from './save.js';
import type { StorageState } from './state.js';
import { trackOrigins, type VisitedOrigins } from './visited-origins.js';
import { findStateError, loadDefault } from './check-state.js';

/** The initial storage of a render that saves its storage, and the origins it visited. */
interface Begun {
  readonly start: StorageState | undefined;
  readonly visited: VisitedOrigins;
}

const BEGUN = contextKey<Begun>('storage');
/** The asset read before virtual time was paused, or the error. */
const READ_EARLY = contextKey<Asset | PlatenError>('storage read early');

/** Restores cookies and site storage at the start of a render, and saves them at its end. */
export default definePlugin({
  name: 'storage',
  assets: [{ key: 'with_storage', name: 'storage' }],
  params: PARAMS,
  flags: FLAGS,
  planFor: { param: 'with_storage' },
  plan: planStorage,
  apply({ hooks, options }) {
    const fallback = options.storage === undefined ? undefined : loadDefault(options.storage);
    // Before any recorder, so that requests for the restore are not recorded.
    const restored = fallback === undefined ? { param: 'with_storage' } : undefined;
    hooks.beforeNavigate.tapPromise({ name: 'storage', stage: Stage.first, for: restored }, async (context) => {
      // Further tabs share the storage.
      if (context.tabIndex > 0) return;
      const { with_storage: wanted } = context.params;
      const given = stateOf(context.params);
      const start = given ?? (wanted === false ? undefined : fallback);
      if (start !== undefined) await restoreStorage(context, start, given === undefined ? brokenDefault : refuseState);
      if (wanted === true || given !== undefined) context.set(BEGUN, { start, visited: trackOrigins(context.page) });
    });
    // While a video is recorded, virtual time is paused, and databases and caches do not respond. After all plugins that change the page.
    hooks.beforeCapture.tapPromise({ name: 'storage', stage: Stage.last, for: { asset: 'with_storage' } }, async (context) => {
      const begun = context.get(BEGUN);
      if (begun === undefined || context.plan.capture.pausesVirtualTime !== true) return;
      context.set(READ_EARLY, await readEarly(context, begun));
    });
    // After all other recorders and captures, since saving may navigate the page.
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

/** An error here is reported when the assets are collected and does not fail the render, unless the render itself has ended. */
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

/** A server error, not a client error: the browser rejects an item of the operator's file. */
function brokenDefault(path: string, detail: string): PlatenError {
  return new PlatenError('plugin_failed', `the file of --storage: "storage.${path}" ${detail}`);
}

/** Rejects a state that is too large or that is invalid in every browser. */
function planStorage({ params }: Pick<PlanDraft<StorageParams>, 'params'>): void {
  const state = stateOf(params);
  if (state === undefined) return;
  const limit = params.storage_limit ?? DEFAULT_LIMIT;
  const bytes = Buffer.byteLength(JSON.stringify(state));
  if (bytes > limit) {
    const detail = `"with_storage" has ${String(bytes)} bytes, more than "storage_limit" allows: ${String(limit)}`;
    throw new PlatenError('payload_too_large', detail, { errors: [{ parameter: 'with_storage', detail }] });
  }
  const error = findStateError(state);
  if (error !== undefined) throw refuseState(error.path, error.detail);
}

/** The state in the request; undefined if there is none. */
function stateOf({ with_storage: given }: StorageParams): StorageState | undefined {
  // The schema has already validated the type.
  return typeof given === 'object' ? given : undefined;
}

function refuseState(path: string, detail: string): PlatenError {
  return invalidParameter('with_storage', `"with_storage.${path}" ${detail}`);
}
