import type { RenderContext } from '../context.js';
import { untilAborted } from '../deadline.js';
import { isPlatenError } from '../errors.js';
import type { KernelHooks } from '../hooks.js';
import type { AssetTray, CollectedAssets } from './asset-tray.js';

/** The assets of one render, from its plugins' taps into its tray. */
export interface RenderAssets {
  /** Runs the hook, once. */
  readonly collect: () => Promise<void>;
  /** Makes what was put off until the page was closed. */
  readonly settle: () => Promise<CollectedAssets>;
  /** The error of a render that failed, with the assets that it leaves: what was recorded tells why it did. */
  leave(error: unknown): Promise<unknown>;
}

/** How long the assets of a failed render may take: somebody waits for its error. */
const LEAVE_MS = 5_000;
/** Of that, what their plugins have: what was added by then is still to be made. */
const COLLECT_MS = 4_000;

export function collectAssets(hooks: KernelHooks, context: RenderContext, tray: AssetTray): RenderAssets {
  let collecting: Promise<void> | undefined;
  const collect = () => (collecting ??= hooks.additionalAssets.promise(context, tray));
  return {
    collect,
    settle: () => tray.settle(),
    async leave(error) {
      if (context.plan.assets.length === 0 || !isPlatenError(error) || NOBODY_FETCHES.has(error.code)) {
        await tray.clear();
        return error;
      }
      const signal = AbortSignal.timeout(LEAVE_MS);
      tray.extend(signal, error);
      try {
        await untilAborted(collect(), AbortSignal.timeout(COLLECT_MS)).catch(() => undefined);
        return error.leaving(await tray.settle());
      } catch {
        await tray.clear();
        return error;
      }
    },
  };
}

/** The client is gone, or the render is tried again. */
const NOBODY_FETCHES: ReadonlySet<string> = new Set(['client_closed', 'browser_lost']);
