import { untilAborted, type Page } from '@platen/kernel';
import { MAX_RESTARTS } from './limits.js';
import { pause } from './pause.js';

/** A document replaced within this time counts as a redirect by script or meta refresh. */
const REDIRECT_MS = 1000;

interface TimeWait {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly seconds: number;
}

/**
 * Resolves that many seconds after DOMContentLoaded of the first document that is not a redirect. If that document reloads itself later,
 * the time does not start again; otherwise the wait might never end.
 */
export async function waitForTime({ page, signal, seconds }: TimeWait): Promise<void> {
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
