import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, untilAborted } from '@platen/kernel';

/** Duration of one poll in the page. It is below the timeout of a protocol call, so the total wait is not limited by that timeout. */
export const LOOK_MS = 10_000;
/** Maximum pause after a failed poll. */
const MAX_PAUSE_MS = 100;

/**
 * Polls the page, for at most `LOOK_MS` each, until the condition is met. A poll that fails because its document disappeared is repeated in
 * the new document, however often that happens.
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

/** Rejects with the signal's reason if it is aborted meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
