/** System error codes for a full disk and for an exceeded quota. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** The same as messages of the C library, which programs print. */
const WORDS = /No space left on device|Disk quota exceeded/;

/** Whether a write failed because the disk is full: this process reports it in a `code`, a child process in its `stderr`. */
export function isDiskFull(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ('stderr' in cause && WORDS.test(String(cause.stderr))) return true;
  return 'code' in cause && CODES.includes(cause.code);
}

/** For a response whose encoder failed for this reason. */
export const DISK_FULL = 'the disk that holds the temporary folder of the server is full';
