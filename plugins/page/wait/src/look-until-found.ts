import { isPlatenError, untilAborted } from '@platen/kernel';
import { pause } from './pause.js';

/** How long one look into the page lasts: below the bound of a protocol call, so that waiting itself has no bound. */
export const LOOK_MS = 10_000;
/** Looks in a row that end because the document went away under them. */
const MAX_LOST = 20;

/** Looks into the page, for at most `LOOK_MS` at a time, until something is found there; a new document is looked at anew. */
export async function lookUntilFound(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let lost = 0; ;) {
    try {
      if (await untilAborted(look(), signal)) return;
      lost = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error) || ++lost > MAX_LOST) throw error;
      await pause(lost * 10, signal);
    }
  }
}
