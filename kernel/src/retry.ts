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
 * Renders by the plan. Where the browser died, or a tap says that the page needs another one (`browser_lost` with `again`), it is tried
 * again, within its own time, unless its plan says that doing so does harm; after a loss in a browser of its own. Where only what is done in the loaded page does, such a tap
 * says so before anything is done.
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
    // What ended a browser may do so again: the second time it has one of its own, and harms no other render.
    const browser = error.retryWith ?? Object.freeze({ ...plan.browser, exclusive: true });
    return tryRender(pipeline, Object.freeze({ ...plan, browser }), [...before, reason]);
  }
}
