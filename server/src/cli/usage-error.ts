import { explainAbsent, type AbsentPart } from '@platen/schema';

/** A command line that cannot be obeyed: its text names what is wrong, the hint says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** What is asked for belongs to a plugin that is not there. */
export function absentError(what: string, owner: Pick<AbsentPart, 'plugin' | 'leftOut'>): UsageError {
  const hint = owner.leftOut === true ? 'this is a trimmed build: another one can be built with it' : 'see --plugins and --disable-plugins';
  return new UsageError(explainAbsent(what, owner), hint);
}
