import type { ProtocolSession } from '@platen/kernel';
import { withTimeout } from './with-timeout.js';

/** Waits until everything that the sessions' targets have sent so far is processed: a response arrives after the events sent before it. */
export async function flushEvents(sessions: Iterable<ProtocolSession>, milliseconds: number): Promise<void> {
  // The cheapest command that a renderer handles itself. An error is a response, too.
  const answers = [...new Set(sessions)].map((session) => session.send('Runtime.getIsolateId'));
  await withTimeout(milliseconds, Promise.allSettled(answers));
}
