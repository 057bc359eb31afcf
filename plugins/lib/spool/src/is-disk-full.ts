/** Of the system, for a disk and for a user's share of it. */
const CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT'];
/** The same in the words of the C library, which programs pass on. */
const WORDS = /No space left on device|Disk quota exceeded/;

/** Whether a file found no room: this process says so in a `code`, a program that it ran in its `stderr`. */
export function isDiskFull(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if ('stderr' in cause && WORDS.test(String(cause.stderr))) return true;
  return 'code' in cause && CODES.includes(cause.code);
}

/** For an answer whose encoder failed so. */
export const DISK_FULL = 'the disk that holds the temporary folder of the server is full';
