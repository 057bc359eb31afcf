import { Readable } from 'node:stream';
import { untilAborted } from '../deadline.js';
import { isPlatenError, type PlatenError } from '../errors.js';
import { isDiskFull } from '../local-files.js';
import type { Logger } from '../logger.js';
import type { Asset, AssetCollector, MadeFile, MadeFiles, OwnedAsset } from '../output.js';
import type { RenderPlan } from '../render-plan.js';
import type { AssetStore, CollectedAssets, MissingAsset, StoredAsset } from './asset-store.js';

/** Collects the assets of one render into a store. An asset that fails is reported as missing; the render goes on. */
export interface RenderAssetStore extends AssetCollector {
  /** The asset could not be created. */
  miss(name: string, error: unknown): void;
  /** A plugin's tap failed: the assets it declared but did not add are missing. */
  failed(plugin: string, error: PlatenError): void;
  /**
   * From now on this signal ends the work on assets. The output needs the rest of the render's time; a failed render has only a short time
   * for its assets.
   */
  within(signal: AbortSignal, failure?: PlatenError): void;
  /** Assets not added by now are missing, even if their plugin is still working. */
  giveUp(): void;
  /** Creates the assets that were deferred until the page was closed, those about the output last, and returns which assets exist. */
  settle(output?: MadeFile): Promise<CollectedAssets>;
  /** Discards everything: the render is retried, or no client is left to fetch the assets. */
  clear(): Promise<void>;
}

const NOT_MADE = 'its plugin did not add it';
const NO_TIME = 'there was no time left';
const NOT_IN_TIME = 'it was not ready in time after the render failed';

export interface RenderAssetStoreParts {
  readonly plan: Pick<RenderPlan, 'assets'>;
  readonly store: AssetStore;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export function createRenderAssetStore({ plan, store, signal: rendering, log }: RenderAssetStoreParts): RenderAssetStore {
  let signal = rendering;
  let failure: PlatenError | undefined;
  let settled = false;
  const kept: StoredAsset[] = [];
  const later: Asset[] = [];
  const missing = createMissing(log, () => ({ failure, late: signal.aborted }));
  const unaccounted = () =>
    plan.assets.filter(({ name }) => !missing.has(name) && ![...kept, ...later].some((known) => known.name === name));
  const keep = async (asset: Asset, output?: MadeFile) => {
    try {
      const stored = await putAsset(store, asset, { signal, made: { output, assets: kept } });
      if (settled || missing.has(asset.name)) await store.discard([stored]);
      else kept.push(stored);
    } catch (error) {
      if (asset.body instanceof Readable) asset.body.destroy();
      if (failure === undefined) rendering.throwIfAborted();
      missing.add(asset.name, error);
    }
  };
  return {
    ...{ miss: missing.add, isAfterFailure: () => failure !== undefined },
    async add(asset) {
      // Assets of a plugin that was given up are no longer deferred.
      if (typeof asset.body === 'function' && !missing.has(asset.name)) later.push(asset);
      else await keep(asset);
    },
    failed(plugin, error) {
      const owed = unaccounted().filter((asset) => asset.plugin === plugin);
      if (owed.length === 0) log.warn({ err: error }, 'a plugin failed while assets were collected');
      for (const { name } of owed) missing.add(name, error);
    },
    within(limit, error) {
      [signal, failure] = [limit, error];
    },
    giveUp() {
      for (const { name } of unaccounted()) missing.add(name, signal.reason);
    },
    async settle(output) {
      for (const asset of describingLast(later.splice(0), plan)) await keep(asset, output);
      settled = true;
      return { kept: [...kept], missing: [...missing.list, ...unaccounted().flatMap((asset) => notMade(asset, failure))] };
    },
    async clear() {
      if (kept.length > 0) await store.discard(kept.splice(0));
      missing.list.length = 0;
      later.length = 0;
    },
  };
}

/** Assets missing so far, each with its first reason. `present`: the state of the render, and whether the time for its assets is up. */
function createMissing(log: Logger, present: () => { readonly failure: PlatenError | undefined; readonly late: boolean }) {
  const list: MissingAsset[] = [];
  const has = (name: string) => list.some((known) => known.name === name);
  return {
    list,
    has,
    add(name: string, error: unknown) {
      if (has(name)) return;
      const { failure, late } = present();
      logMissing(log, { name, error, failure });
      const lateReason = failure === undefined ? NO_TIME : NOT_IN_TIME;
      list.push({ name, reason: late ? lateReason : reasonOf(error) });
    },
  };
}

/** A refused request was never rendered: none of its assets count as missing. Outputs of a failed render do not either. */
function notMade({ name, further, ofFailure }: OwnedAsset, failure: PlatenError | undefined): readonly MissingAsset[] {
  if (failure === undefined ? ofFailure : failure.code === 'invalid_parameters' || further || (ofFailure && failure.evidence)) return [];
  return [{ name, reason: failure === undefined ? NOT_MADE : NOT_IN_TIME }];
}

/** What describes the other assets is made after them. */
function describingLast(assets: readonly Asset[], plan: Pick<RenderPlan, 'assets'>): readonly Asset[] {
  const isDescribing = ({ name }: Asset) => plan.assets.some((declared) => declared.name === name && declared.ofOutput === true);
  return [...assets.filter((asset) => !isDescribing(asset)), ...assets.filter(isDescribing)];
}

async function putAsset(
  store: AssetStore,
  { body, ...head }: Asset,
  { signal, made }: { readonly signal: AbortSignal; readonly made: MadeFiles },
): Promise<StoredAsset> {
  signal.throwIfAborted();
  const bytes: Buffer | Readable = typeof body === 'function' ? await untilAborted(Promise.resolve(body(made)), signal) : body;
  return store.put(head, bytes, signal);
}

interface Miss {
  readonly name: string;
  readonly error: unknown;
  readonly failure: PlatenError | undefined;
}

/** Assets lost to the render's own failure are explained by that failure. */
function logMissing(log: Logger, { name, error, failure }: Miss): void {
  const isOwn = failure !== undefined && isPlatenError(error) && error.code === failure.code;
  if (isOwn) log.debug({ asset: name, code: error.code }, 'an additional asset is missing');
  else log.warn({ err: error, asset: name }, 'an additional asset is missing');
}

/** Only texts written for clients are sent: no paths and no operating system messages. */
function reasonOf(error: unknown): string {
  if (isPlatenError(error) && error.expose) return error.message;
  if (isDiskFull(error)) return 'the disk is full';
  return 'it could not be created';
}
