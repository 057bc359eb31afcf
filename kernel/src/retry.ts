import { createMemoryStore } from './assets/memory-store.js';
import { createDeadline } from './deadline.js';
import { isPlatenError } from './errors.js';
import type { RenderOptions, RenderResult } from './kernel-contract.js';
import { silentLogger } from './logger.js';
import { runPipeline, type Pipeline } from './pipeline.js';
import type { RenderPlan } from './plan.js';

/** Why a render is tried again: its browser died, or its page needs one of another kind. Neither happens to it twice. */
type Reason = 'lost' | 'unfit';

/**
 * Renders by the plan. If the browser died, or a tap reports that the page needs another browser (`browser_lost` with `again`), the render
 * is retried within its own time, unless its plan forbids that. After a lost browser the retry gets a dedicated browser. If only actions in
 * the loaded page have side effects, such a tap reports before any action runs.
 */
export async function renderWithRetry(
  parts: Pick<Pipeline, 'hooks' | 'pool'>,
  plan: RenderPlan,
  options: RenderOptions,
): Promise<RenderResult> {
  const { log = silentLogger, store = createMemoryStore(), signal, onPhase, waitedMs } = options;
  const deadline = createDeadline({ timeoutMs: plan.timeoutMs, spentMs: waitedMs, signal, onPhase });
  try {
    return await tryRender({ ...parts, deadline, store, log }, plan, []);
  } catch (error) {
    deadline[Symbol.dispose]();
    throw error;
  }
}

async function tryRender(pipeline: Pipeline, plan: RenderPlan, before: readonly Reason[]): Promise<RenderResult> {
  try {
    return await runPipeline(pipeline, plan);
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'browser_lost') throw error;
    if (error.retryWith === undefined ? !plan.retryable : !plan.retryableBeforeScript) throw error;
    const reason = error.retryWith === undefined ? 'lost' : 'unfit';
    if (before.includes(reason)) throw error;
    if (reason === 'lost') pipeline.log.warn({ err: error.cause }, 'the browser was lost: the render is tried once more');
    else pipeline.log.info({ reason: error.message }, 'the render is tried once more, in another browser');
    // A render that crashed its browser may do so again: the retry has a dedicated browser, so that it cannot affect other renders.
    const browser = error.retryWith ?? Object.freeze({ ...plan.browser, exclusive: true });
    return tryRender(pipeline, Object.freeze({ ...plan, browser }), [...before, reason]);
  }
}
