import { PlatenError, type Page, withTimeout } from '@platen/kernel';
import { HUNG_MS } from './limits.js';
import { PageHung } from './live-fallback.js';

/** Interval at which a page that takes longer is checked. */
const LOOK_MS = 1_000;
/** Seconds of processor time of the page's thread after which a script counts as spinning. Wall time is meaningless on a busy machine. */
const SPIN_S = 3;
/** Maximum number of scripts that are terminated before the page is abandoned. */
const MAX_TERMINATIONS = 2;

/** The members of a page and its render that are needed to wait for the page. */
export interface HangTimeout {
  readonly page: Pick<Page, 'send'>;
  /** Milliseconds from now after which a hanging page is abandoned for a live retry; undefined if there is no time for a retry. */
  hangTimeoutMs(): number | undefined;
}

/**
 * Waits for work in the page while its clock is stopped. A script that waits for time to pass without yielding then waits forever. A slow
 * page, or a page on a slow machine, is waited for. Rejects with `PageHung` if there is time for a live retry. Otherwise such a script is
 * terminated, and a page that does not recover is a `render_timeout`. `Performance.enable` distinguishes a hanging page from a slow one.
 */
export async function withHangTimeout<T>({ page, hangTimeoutMs }: HangTimeout, work: Promise<T>): Promise<T> {
  const started = performance.now();
  const limitMs = hangTimeoutMs();
  let terminated = 0;
  let since: number | undefined;
  const done = work.then(() => true);
  while ((await withTimeout(done, LOOK_MS)) === undefined) {
    const used = await Promise.race([work.then(() => 0), readProcessorTime(page)]);
    // A page that has moved to another process starts at zero. A page that does not report its time counts as hanging.
    since = Math.min(since ?? used ?? 0, used ?? since ?? 0);
    const spins = (used ?? since) - since >= SPIN_S;
    const waited = performance.now() - started;
    // On a busy machine it may be detected only when it is too late for a live retry.
    if (spins && hangTimeoutMs() !== undefined) throw new PageHung('a script does not yield');
    if (limitMs !== undefined && waited > limitMs) throw new PageHung('the page makes no progress');
    if (waited > HUNG_MS || (spins && terminated === MAX_TERMINATIONS)) throw hangError();
    if (!spins) continue;
    await page.send('Runtime.terminateExecution', undefined, { timeoutMs: HUNG_MS });
    terminated += 1;
    since = undefined;
  }
  return work;
}

/** Processor seconds used by the page's thread, reported even while a script runs; undefined if not reported. */
async function readProcessorTime(page: Pick<Page, 'send'>): Promise<number | undefined> {
  try {
    const { metrics } = await page.send('Performance.getMetrics', undefined, { timeoutMs: LOOK_MS });
    return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
  } catch {
    // If the page has ended, the work rejects too.
    return undefined;
  }
}

function hangError(): PlatenError {
  return new PlatenError('render_timeout', 'the page hung while it was recorded', { retryable: true });
}
