import { setTimeout as delay } from 'node:timers/promises';
import { PlatenError, type Page } from '@platen/kernel';
import { HUNG_MS } from './limits.js';

/** A page that takes longer is looked at so often. */
const LOOK_MS = 1_000;
/** Seconds of processor time of the page's thread after which a script counts as spinning. Time on the wall says nothing on a busy machine. */
const SPIN_S = 3;
/** Scripts that are ended, before the page is given up. */
const ENDINGS = 2;

/**
 * Waits for what the page is to do while its clock stands still. A script that waits for time to pass without letting go of the page
 * waits for ever then: such a script is ended. A page that is slow, or whose machine is, is waited for.
 * Needs `Performance.enable`. Rejects with `render_timeout` where the page does not come round.
 */
export async function unstick<T>(page: Pick<Page, 'send'>, work: Promise<T>): Promise<T> {
  const givenUp = performance.now() + HUNG_MS;
  let endings = 0;
  let since: number | undefined;
  while (!(await settledWithin(work, LOOK_MS))) {
    const used = await Promise.race([work.then(() => 0), readProcessorTime(page)]);
    // A page that has moved to another process begins at nought.
    since = Math.min(since ?? used, used);
    const spins = used - since >= SPIN_S;
    if (performance.now() > givenUp || (spins && endings === ENDINGS)) throw stoodStill();
    if (!spins) continue;
    await page.send('Runtime.terminateExecution', undefined, { timeoutMs: HUNG_MS });
    endings += 1;
    since = undefined;
  }
  return work;
}

/** Seconds that the page's thread has had of a processor: told even while a script runs. */
async function readProcessorTime(page: Pick<Page, 'send'>): Promise<number> {
  const { metrics } = await page.send('Performance.getMetrics', undefined, { timeoutMs: HUNG_MS });
  return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
}

function stoodStill(): PlatenError {
  return new PlatenError('render_timeout', 'the page stood still while it was filmed', { retryable: true });
}

/** Whether the promise was kept in time; rejects as it does. */
async function settledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = new AbortController();
  const late = delay(ms, false, { ref: false, signal: limit.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    limit.abort();
  }
}
