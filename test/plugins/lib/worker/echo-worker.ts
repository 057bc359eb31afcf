import { createSlots } from '@platen/lib-slots';
import { answer } from './echo-answer.js';

/** What the tests send, done in a worker thread. */
async function work(input: unknown): Promise<unknown> {
  // Another package, by its name, works in a thread as it does everywhere.
  return createSlots(1).run(() => answer(input));
}

export { work as default };
