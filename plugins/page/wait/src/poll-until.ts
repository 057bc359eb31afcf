import { isPlatenError, untilAborted } from '@platen/kernel';
import { pause } from './pause.js';

/** How long one look into the page lasts: below the bound of a protocol call, so that waiting itself has no bound. */
export const LOOK_MS = 10_000;
/** The longest pause between a look that was lost and the next. */
const MAX_PAUSE_MS = 100;

/**
 * Looks into the page, for at most `LOOK_MS` at a time, until something is found there. A look that ends because the document went
 * away under it is no verdict, however often that happens: the next one looks at the new document.
 */
export async function pollUntil(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let lost = 0; ;) {
    try {
      if (await untilAborted(look(), signal)) return;
      lost = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error) && error.code !== 'page_unstable') throw error;
      await pause(Math.min(++lost * 10, MAX_PAUSE_MS), signal);
    }
  }
}
