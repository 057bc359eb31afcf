import { contextKey, definePlugin, type Page, type RenderContext, untilAborted } from '@platen/kernel';
import { MAX_RESTARTS, type NetworkTracker, trackNetwork, waitForIdle } from '@platen/lib-network-idle';
import { type EventLatch, latchEvent } from './latch-event.js';
import { waitAgainKey } from './keys.js';
import { WAIT_PARAMS, type WaitParams } from './params.js';
import { describeFault, parseWaitFor } from './parse-wait-for.js';
import { pause, waitForSelector } from './wait-for-selector.js';

/** A document replaced within this time counts as a redirect by script or meta refresh. */
const REDIRECT_MS = 1000;

const latchKey = contextKey<EventLatch>('wait: event latch');
const trackerKey = contextKey<NetworkTracker>('wait: network tracker');

/** Determines when a page is ready to be captured. Without `wait_for` the kernel waits for the load event. */
export default definePlugin({
  name: 'wait',
  params: WAIT_PARAMS,
  planFor: { param: ['wait_for', 'capture_on_timeout'] },
  plan({ params: { wait_for: text, capture_on_timeout: late }, captureOnTimeout, refuse }) {
    if (text !== undefined && parseWaitFor(text) === undefined) refuse('wait_for', describeFault(text));
    if (late === true) captureOnTimeout();
  },
  apply({ hooks }) {
    // These must be installed before the page's first script and request.
    hooks.beforeNavigate.tapPromise({ name: 'wait', for: { param: 'wait_for' } }, async (context) => {
      const condition = parseWaitFor(context.params.wait_for ?? '');
      if (condition?.kind === 'event') context.set(latchKey, await latchEvent(context.page, condition.name));
      if (condition?.kind === 'networkidle') context.set(trackerKey, trackNetwork(context.page.targets));
    });
    hooks.waitFor.tapPromise({ name: 'wait', for: { param: 'wait_for' } }, async (context) => {
      context.set(waitAgainKey, () => (context.isUnready ? Promise.resolve() : meetCondition(context, { again: true })));
      await meetCondition(context, { again: false });
      return { condition: `wait_for=${context.params.wait_for ?? ''}` };
    });
  },
});

async function meetCondition(context: RenderContext<WaitParams>, { again }: { readonly again: boolean }): Promise<void> {
  const { page, params } = context;
  const condition = parseWaitFor(params.wait_for ?? '');
  if (condition === undefined) return;
  context.setWaitReason(`wait_for=${params.wait_for ?? ''}`);
  // No condition can be met once the page has failed, for example after a crash.
  const signal = AbortSignal.any([context.signal, page.lifecycle.failed]);
  if (condition.kind === 'time') await (again ? pause(condition.seconds * 1000, signal) : waitForTime({ page, signal, ...condition }));
  if (condition.kind === 'immediate') await untilAborted(page.lifecycle.reached('DOMContentLoaded'), signal);
  if (condition.kind === 'load') await untilAborted(page.lifecycle.reached('load'), signal);
  if (condition.kind === 'event') await context.get(latchKey)?.fired(signal);
  if (condition.kind === 'selector') await waitForSelector({ page, signal, selector: condition.selector });
  const tracker = context.get(trackerKey);
  if (condition.kind === 'networkidle' && tracker) await waitForIdle({ page, signal, tracker, condition });
}

interface TimeWait {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly seconds: number;
}

/**
 * Resolves that many seconds after DOMContentLoaded of the first document that is not a redirect. If that document reloads itself later,
 * the time does not start again; otherwise the wait might never end.
 */
async function waitForTime({ page, signal, seconds }: TimeWait): Promise<void> {
  const rendered = (): Promise<number> => untilAborted(page.lifecycle.reached('DOMContentLoaded'), signal);
  let start = await rendered();
  for (let restarts = 0; restarts < MAX_RESTARTS; restarts += 1) {
    await pause(start + Math.min(seconds * 1000, REDIRECT_MS) - performance.now(), signal);
    const newest = await rendered();
    if (newest === start) break;
    start = newest;
  }
  await pause(start + seconds * 1000 - performance.now(), signal);
  // A newer document may still be loading: wait for its initial render.
  await rendered();
}
