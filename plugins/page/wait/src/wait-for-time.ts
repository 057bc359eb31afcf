import { untilAborted, type Page } from '@platen/kernel';
import { MAX_RESTARTS } from './limits.js';
import { pause } from './pause.js';

/** A document that is replaced this soon was on its way to another one: a redirect by script or meta refresh. */
const REDIRECT_MS = 1000;

interface TimeWait {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly seconds: number;
}

/**
 * Resolves that many seconds after DOMContentLoaded of the first document that stays. One that stays and reloads itself later does
 * not begin the count anew: the wait would never end.
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
  // Whatever document is there by now, it has been rendered.
  await rendered();
}
