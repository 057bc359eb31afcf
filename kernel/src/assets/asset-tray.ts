import type { Readable } from 'node:stream';
import { isPlatenError, type PlatenError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Asset, AssetCollector } from '../output.js';
import type { RenderPlan } from '../plan.js';
import type { AssetStore, StoredAsset } from './asset-store.js';

/** An asset that was asked for and could not be had, with a reason made for the client. */
export interface MissingAsset {
  readonly name: string;
  readonly reason: string;
}

/** A render's assets: what came of them. */
export interface CollectedAssets {
  readonly kept: readonly StoredAsset[];
  readonly missing: readonly MissingAsset[];
}

export const NO_ASSETS: CollectedAssets = Object.freeze({ kept: [], missing: [] });

/** Collects the assets of one render into a store. An asset that cannot be had is missing; the render goes on. */
export interface AssetTray extends AssetCollector {
  /** A plugin's tap failed: what it owed and did not give is missing. */
  failed(plugin: string, error: PlatenError): void;
  /** Makes what was put off until the page was closed, and says what of all there is. */
  settle(): Promise<CollectedAssets>;
  /** From now on this signal ends the work: the render has failed, and there is a little time for what it leaves. */
  extend(signal: AbortSignal, failure: PlatenError): void;
  /** Forgets everything: the render is tried again, or nobody is there to fetch it. */
  clear(): Promise<void>;
}

export interface TrayParts {
  readonly plan: Pick<RenderPlan, 'assets'>;
  readonly store: AssetStore;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export function createAssetTray({ plan, store, signal: rendering, log }: TrayParts): AssetTray {
  let signal = rendering;
  let failure: PlatenError | undefined;
  const kept: StoredAsset[] = [];
  const missing: MissingAsset[] = [];
  const later: Asset[] = [];
  const isAccounted = (name: string) => [...kept, ...missing, ...later].some((known) => known.name === name);
  const miss = (name: string, error: unknown) => {
    // What the render's own failure took along is told by that failure.
    const isOwn = failure !== undefined && isPlatenError(error) && error.code === failure.code;
    if (isOwn) log.debug({ asset: name, code: error.code }, 'an additional asset is missing');
    else log.warn({ err: error, asset: name }, 'an additional asset is missing');
    missing.push({ name, reason: reasonOf(error) });
  };
  const keep = async ({ body, ...head }: Asset) => {
    try {
      const made: Buffer | Readable = typeof body === 'function' ? await body() : body;
      kept.push(await store.put(head, made, signal));
    } catch (error) {
      signal.throwIfAborted();
      miss(head.name, error);
    }
  };
  return {
    async add(asset) {
      if (typeof asset.body === 'function') later.push(asset);
      else await keep(asset);
    },
    failed(plugin, error) {
      const owed = plan.assets.filter((asset) => asset.plugin === plugin && !isAccounted(asset.name));
      if (owed.length === 0) log.warn({ err: error }, 'a plugin failed where assets are collected');
      for (const { name } of owed) miss(name, error);
    },
    async settle() {
      for (const asset of later.splice(0)) await keep(asset);
      for (const { name } of plan.assets) if (!isAccounted(name)) missing.push({ name, reason: 'its plugin did not make it' });
      return { kept: [...kept], missing: [...missing] };
    },
    extend(late, error) {
      failure = error;
      signal = late;
    },
    async clear() {
      if (kept.length > 0) await store.discard(kept.splice(0));
      missing.length = 0;
      later.length = 0;
    },
  };
}

/** Only what is made for the client leaves: no path and no text of the operating system. */
function reasonOf(error: unknown): string {
  if (isPlatenError(error) && error.expose) return error.message;
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return 'the disk is full';
  return 'it could not be made';
}
