const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
  EFTYPE: 'it is no regular file, and a pipe can be read only once',
  ENOTDIR: 'a part of the path is no folder',
  ENAMETOOLONG: 'its name is too long',
};

/** Describes why a file could not be read; the system's error code (errno) if there is no description. */
export function describeReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return REASONS[code] ?? code;
}
