import { compileFragment, type Check } from './compile.js';
import type { Fragment } from './fragment.js';

/** Conflicting parts, or an invalid part: aborts the startup. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code: 'duplicate_key' | 'duplicate_output' | 'invalid_fragment';
  /** The owner that declared it; both owners of a duplicate. */
  readonly owners: readonly string[];
  /** The key or output type. */
  readonly subject: string;

  constructor(code: SchemaError['code'], message: string, { owners, subject, cause }: SchemaErrorOptions) {
    super(message, { cause });
    this.code = code;
    this.owners = owners;
    this.subject = subject;
  }
}

interface SchemaErrorOptions {
  readonly owners: readonly string[];
  readonly subject: string;
  readonly cause?: unknown;
}

export function invalidFragment(owner: string, subject: string, cause: unknown): SchemaError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SchemaError('invalid_fragment', `"${owner}" declares "${subject}" wrongly: ${reason}`, { owners: [owner], subject, cause });
}

/** Compiles an owner's declarations; throws `invalid_fragment`. */
export function compileOwned(fragment: Fragment, { owner, key }: { readonly owner: string; readonly key: string }): Check {
  try {
    return compileFragment(fragment);
  } catch (error) {
    throw invalidFragment(owner, key, error);
  }
}
