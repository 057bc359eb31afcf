import { UsageError } from './usage-error.js';

/** Refuses words that nobody would read. The hint says what there may be. */
export function assertNoMore(words: readonly string[], hint: string): void {
  if (words[0] !== undefined) throw new UsageError(`"${words[0]}" is one word too many`, hint);
}
