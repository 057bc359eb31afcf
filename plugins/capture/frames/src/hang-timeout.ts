import { setTimeout as delay } from 'node:timers/promises';
import { PlatenError, type Page } from '@platen/kernel';
import { HUNG_MS } from './limits.js';
import { PageHung } from './live-fallback.js';

/** A page that takes longer is looked at so often. */
const LOOK_MS = 1_000;
/** Seconds of processor time of the page's thread after which a script counts as spinning. Time on the wall says nothing on a busy machine. */
const SPIN_S = 3;
/** Scripts that are ended, before the page is given up. */
const ENDINGS = 2;

/** What of a page and of its render is needed to wait for it. */
export interface HangTimeout {
  readonly page: Pick<Page, 'send'>;
  /** Milliseconds from now after which a page that does nothing is given up for a second take; undefined: there is no time for one. */
  hangTimeoutMs(): number | undefined;
}

/**
 * Waits for what the page is to do while its clock stands still. A script that waits for time to pass without letting go of the page
 * waits for ever then. A page that is slow, or whose machine is, is waited for.
 * Rejects with `PageHung` where there is time for a second take; else such a script is ended, and a page that does not come round
 * is a `render_timeout`. Tells one from the other by `Performance.enable`.
 */
export async function withHangTimeout<T>({ page, hangTimeoutMs }: HangTimeout, work: Promise<T>): Promise<T> {
  const started = performance.now();
  const patience = hangTimeoutMs();
  let endings = 0;
  let since: number | undefined;
  while (!(await settledWithin(work, LOOK_MS))) {
    const used = await Promise.race([work.then(() => 0), readProcessorTime(page)]);
    // A page that has moved to another process begins at nought; one that does not even say counts as one that does nothing.
    since = Math.min(since ?? used ?? 0, used ?? since ?? 0);
    const spins = (used ?? since) - since >= SPIN_S;
    const waited = performance.now() - started;
    // On a busy machine it may show only when it is too late for a second take.
    if (spins && hangTimeoutMs() !== undefined) throw new PageHung('a script spins');
    if (patience !== undefined && waited > patience) throw new PageHung('nothing happens');
    if (waited > HUNG_MS || (spins && endings === ENDINGS)) throw stoodStill();
    if (!spins) continue;
    await page.send('Runtime.terminateExecution', undefined, { timeoutMs: HUNG_MS });
    endings += 1;
    since = undefined;
  }
  return work;
}

/** Seconds that the page's thread has had of a processor: told even while a script runs; undefined where it is not. */
async function readProcessorTime(page: Pick<Page, 'send'>): Promise<number | undefined> {
  try {
    const { metrics } = await page.send('Performance.getMetrics', undefined, { timeoutMs: LOOK_MS });
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
  } catch {
    // A page that has ended fails the work too.
    return undefined;
  }
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
