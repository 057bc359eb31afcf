import { untilAborted, type Page } from '@platen/kernel';
import { pause } from './pause.js';

/** Resolves that many seconds after DOMContentLoaded of the document that is there by then: another one begins the count anew. */
export async function waitForTime({
  page,
  signal,
  seconds,
}: {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly seconds: number;
}): Promise<void> {
  for (let counted = Number.NaN; ;) {
    const start = await untilAborted(page.lifecycle.reached('DOMContentLoaded'), signal);
    if (start === counted) return;
    counted = start;
    await pause(start + seconds * 1000 - performance.now(), signal);
  }
}
