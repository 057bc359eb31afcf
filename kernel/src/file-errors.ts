const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EFTYPE: 'it is not a regular file, and a pipe can be read only once',
  ENOTDIR: 'a part of the path is not a folder',
  ENAMETOOLONG: 'its name is too long',
};

/** Describes why a file could not be read; the system's error code (errno) if there is no description. */
export function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return REASONS[code] ?? code;
}

/** Whether there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Whether a write failed because the disk, or a quota, is full: this process reports it in a `code`, a child process in its `stderr`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('stderr' in error && /No space left on device|Disk quota exceeded/.test(String(error.stderr))) return true;
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

/** For errors that clients read. */
export const TEMPORARY_DISK = 'the disk that holds the temporary folder of the server';
