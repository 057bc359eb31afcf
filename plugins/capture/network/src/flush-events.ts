import type { ProtocolSession } from '@platen/kernel';
import { withTimeout } from './with-timeout.js';

/** Waits until all that the sessions' targets have sent so far is in: an answer comes behind the events that were sent before it. */
export async function flushEvents(sessions: Iterable<ProtocolSession>, milliseconds: number): Promise<void> {
  // The cheapest that a renderer answers itself; an error is an answer too.
  const answers = [...new Set(sessions)].map((session) => session.send('Runtime.getIsolateId'));
  await withTimeout(milliseconds, Promise.allSettled(answers));
}
