import { UsageError } from './usage-error.js';

/** Rejects unexpected arguments. The hint lists the allowed ones. */
export function assertNoMore(words: readonly string[], hint: string): void {
  if (words[0] !== undefined) throw new UsageError(`"${words[0]}" is one word too many`, hint);
}
