import { setTimeout as delay } from 'node:timers/promises';

/** Rejects with the signal's reason if it is aborted meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
