import { ERRORS, isPlatenError, type ErrorCode } from '@platen/kernel';
import { UsageError } from './usage-error.js';

export const EXIT = { ok: 0, failed: 1, usage: 2, target: 3, timeout: 4, host: 5, output: 6 } as const;

/** The file could not be written. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Exit code of an error; `platen --help` lists them. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof OutputError) return EXIT.output;
  return isPlatenError(error) ? exitCodeOfCode(error.code) : EXIT.failed;
}

export function exitCodeOfCode(code: ErrorCode): number {
  if (code.startsWith('boot_')) return EXIT.usage;
  if (code === 'robots_disallowed' || code === 'target_blocked') return EXIT.target;
  const { status } = ERRORS[code];
  switch (status) {
    case 422:
    case 502:
      return EXIT.target;
    case 504:
      return EXIT.timeout;
    case 501:
    case 503:
      return EXIT.host;
    default:
      return status < 500 ? EXIT.usage : EXIT.failed;
  }
}
