import type { RenderContext } from '../context.js';
import { limitSignal, type TimeLimit, untilAborted } from '../deadline.js';
import { isPlatenError } from '../errors.js';
import { addFurther, type FurtherCapture, isStreaming } from '../capture-outputs.js';
import type { KernelHooks } from '../hooks.js';
import type { MadeFile } from '../output.js';
import type { CollectedAssets } from './asset-store.js';
import type { RenderAssetStore } from './render-asset-store.js';

/**
 * Collects the assets of one render from its plugins' taps. Assets that are not ready shortly before the render's deadline are reported as
 * missing.
 */
export interface RenderAssets {
  /** Adds the further outputs that stream out of the page, then runs the hook. Once. */
  readonly collect: (further: readonly FurtherCapture[]) => Promise<void>;
  /** Creates the assets that were deferred until the page was closed, and the other further outputs. */
  readonly settle: (output: MadeFile | undefined) => Promise<CollectedAssets>;
  /** The error of a failed render, with the assets recorded until then: they help to find the cause. */
  collectAfterFailure(error: unknown): Promise<unknown>;
}

/**
 * Time reserved for the output of the render, however long its assets take: in milliseconds, and as a fraction of the timeout. On a busy
 * machine the timer that ends the assets may be hundreds of milliseconds late; closing the page and encoding come after it.
 */
const RESERVED_MS = 1_000;
const RESERVED_SHARE = 0.1;
/** For a render without a timeout: less than the limit of the assets phase. */
const LONGEST_MS = 100_000;

/** The client has disconnected, or the render is retried. */
const CODES_WITHOUT_ASSETS: ReadonlySet<string> = new Set(['client_closed', 'browser_lost']);

/** Time limit for the assets of a failed render. It is short because the client is waiting for the error. */
const FAILURE_MS = 5_000;
/** The part of that limit that plugins have. The rest is for creating the assets they added. */
const COLLECT_MS = 4_000;

export function collectAssets(hooks: KernelHooks, context: RenderContext, assets: RenderAssetStore): RenderAssets {
  const isOwed = context.plan.assets.some((asset) => asset.further === undefined);
  let collecting: Promise<void> | undefined;
  let further: readonly FurtherCapture[] = [];
  const add = (captures: readonly FurtherCapture[]) => addFurther(hooks, captures, assets);
  const collect = () => (collecting ??= add(further.filter(isStreaming)).then(() => hooks.additionalAssets.promise(context, assets)));
  const limits: TimeLimit[] = [];
  const runInTime = async (work: () => Promise<void>): Promise<void> => {
    const limit = openLimit(context);
    limits.push(limit);
    await runWithin(limit, { context, assets, work });
  };
  // What was begun while assets were collected may end while they are settled.
  const settleAll = async (output?: MadeFile) =>
    assets.settle(output).finally(() => {
      for (const limit of limits) limit[Symbol.dispose]();
    });
  return {
    async collect(captures) {
      further = captures;
      await runInTime(collect);
    },
    async settle(output) {
      await runInTime(() => add(further.filter((capture) => !isStreaming(capture))));
      return settleAll(output);
    },
    async collectAfterFailure(error) {
      const { evidence = [] } = isPlatenError(error) ? error : {};
      const isBare = !isOwed && evidence.length === 0;
      if (isBare || !isPlatenError(error) || CODES_WITHOUT_ASSETS.has(error.code)) {
        await assets.clear();
        return error;
      }
      const signal = AbortSignal.timeout(FAILURE_MS);
      assets.within(signal, error);
      try {
        for (const asset of evidence) await assets.add(asset);
        await untilAborted(collect(), AbortSignal.timeout(COLLECT_MS)).catch(() => undefined);
        return error.withAssets(await settleAll());
      } catch {
        await assets.clear();
        return error;
      }
    },
  };
}

interface TimedWork {
  readonly context: RenderContext;
  readonly assets: RenderAssetStore;
  readonly work: () => Promise<void>;
}

/** Assets that are not there when the time is up are missing. */
async function runWithin({ signal }: TimeLimit, { context, assets, work }: TimedWork): Promise<void> {
  assets.within(signal);
  try {
    await untilAborted(work(), signal);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    assets.giveUp();
  }
}

/** If little time is left, assets get half of it. Those that visit further pages have no limit. */
function openLimit({
  plan: { timeoutMs, timesFurtherPages },
  deadlineAt,
  signal,
}: Pick<RenderContext, 'plan' | 'deadlineAt' | 'signal'>): TimeLimit {
  if (!timesFurtherPages) return limitSignal(signal, Infinity);
  const left = Math.max(0, deadlineAt - performance.now());
  const reservedMs = Math.max(RESERVED_MS, (timeoutMs ?? 0) * RESERVED_SHARE);
  const limitMs = Math.min(LONGEST_MS, Math.max(left - reservedMs, left / 2));
  return limitSignal(signal, Math.floor(limitMs));
}
