import { createSpool } from '@platen/lib-spool';
import { answer } from './echo-answer.js';

/** What the tests send, done in a worker thread. */
async function work(input: unknown): Promise<unknown> {
  // Another package, by its name, works in a thread as it does everywhere.
  await createSpool()[Symbol.asyncDispose]();
  return await answer(input);
}

export { work as default };
