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
  if (broken === true) return '`platen plugins` says why';
  return leftOut === true ? 'this is a trimmed build: another one can be built with it' : 'see --plugins and --disable-plugins';
}
