/** The error of a destination that is not dialed. Its message is for the log and the render's connection log. */
export class DialError extends Error {
  override readonly name = 'DialError';
  readonly outcome: 'blocked' | 'unresolved' | 'proxy' | 'failed';
  /** The address that was refused. */
  readonly address: string | undefined;
  /** It has been refused, and would be again. */
  readonly isFinal: boolean;

  constructor(outcome: DialError['outcome'], message: string, options: DialErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.outcome = outcome;
    this.address = options.address;
    this.isFinal = options.isFinal === true;
  }
}

interface DialErrorOptions extends Partial<Pick<DialError, 'isFinal'>> {
  readonly address?: string;
  readonly cause?: unknown;
}

/** The errno name, if there is one. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : 'failed';
}
