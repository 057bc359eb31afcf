import type { DiscoveredPlugin } from '@platen/kernel';
import { explainMissing, type MissingPart } from '@platen/schema';

/** A command line that is invalid: the text names the problem, the hint says how to fix it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** The requested feature belongs to a plugin that is not installed or not enabled. */
export function missingPluginError(what: string, owner: Pick<MissingPart, 'plugin' | 'leftOut' | 'broken'>): UsageError {
  return new UsageError(explainMissing(what, owner), hintOn(owner));
}

/** The same for a discovered plugin. */
export function absentPluginError(what: string, { name, leftOut = false, fault }: DiscoveredPlugin): UsageError {
  return missingPluginError(what, { plugin: name, leftOut, broken: fault !== undefined });
}

function hintOn({ leftOut, broken }: Pick<MissingPart, 'leftOut' | 'broken'>): string {
  if (broken === true) return '`platen plugins` shows why';
  return leftOut === true ? 'this is a trimmed build: build another one that includes it' : 'see --plugins and --disable-plugins';
}

/** Rejects unexpected arguments. The hint lists the allowed ones. */
export function assertNoMore(words: readonly string[], hint: string): void {
  if (words[0] !== undefined) throw new UsageError(`unexpected argument "${words[0]}"`, hint);
}
