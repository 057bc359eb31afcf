import type { RenderContext } from '../context.js';
import { untilAborted } from '../deadline.js';
import { isPlatenError } from '../errors.js';
import type { KernelHooks } from '../hooks.js';
import type { RenderAssetStore, CollectedAssets } from './render-asset-store.js';

/** The assets of one render, from its plugins' taps into its assets: what they cannot do before its time is nearly up is missing. */
export interface RenderAssets {
  /** Runs the hook, once. */
  readonly collect: () => Promise<void>;
  /** Makes what was put off until the page was closed. */
  readonly settle: () => Promise<CollectedAssets>;
  /** The error of a render that failed, with the assets that it leaves: what was recorded tells why it did. */
  leave(error: unknown): Promise<unknown>;
}

/** What is kept of a render's time for its output, whatever its assets take: milliseconds, and the part of the timeout. */
const KEPT_MS = 500;
const KEPT_SHARE = 0.1;
/** Of a render without a timeout: less than their phase may take. */
const LONGEST_MS = 100_000;

/** How long the assets of a failed render may take: somebody waits for its error. */
const LEAVE_MS = 5_000;
/** Of that, what their plugins have: what was added by then is still to be made. */
const COLLECT_MS = 4_000;

export function collectAssets(hooks: KernelHooks, context: RenderContext, assets: RenderAssetStore): RenderAssets {
  let collecting: Promise<void> | undefined;
  const collect = () => (collecting ??= hooks.additionalAssets.promise(context, assets));
  return {
    async collect() {
      const limit = openLimit(context);
      assets.within(limit);
      try {
        await untilAborted(collect(), limit);
      } catch (error) {
        context.signal.throwIfAborted();
        if (!limit.aborted) throw error;
        assets.giveUp();
      }
    },
    settle() {
      assets.within(openLimit(context));
      return assets.settle();
    },
    async leave(error) {
      if (context.plan.assets.length === 0 || !isPlatenError(error) || NOBODY_FETCHES.has(error.code)) {
        await assets.clear();
        return error;
      }
      const signal = AbortSignal.timeout(LEAVE_MS);
      assets.within(signal, error);
      try {
        await untilAborted(collect(), AbortSignal.timeout(COLLECT_MS)).catch(() => undefined);
        return error.withAssets(await assets.settle());
      } catch {
        await assets.clear();
        return error;
      }
    },
  };
}

/** Where the time is nearly up already, assets have half of what is left. */
function openLimit({ plan: { timeoutMs }, deadlineAt, signal }: Pick<RenderContext, 'plan' | 'deadlineAt' | 'signal'>): AbortSignal {
  const left = Math.max(0, deadlineAt - performance.now());
  const kept = Math.max(KEPT_MS, (timeoutMs ?? 0) * KEPT_SHARE);
  const limitMs = Math.min(LONGEST_MS, Math.max(left - kept, left / 2));
  return AbortSignal.any([signal, AbortSignal.timeout(Math.floor(limitMs))]);
}

/** The client is gone, or the render is tried again. */
const NOBODY_FETCHES: ReadonlySet<string> = new Set(['client_closed', 'browser_lost']);
