import { constants, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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

export interface ReadOptions {
  /**
   * Throws for anything but a regular file (`EFTYPE`, for a folder `EISDIR`): a pipe or terminal delivers its data once, and later reads
   * block forever.
   */
  readonly regular?: boolean;
}

/** A file that an operator wrote, in UTF-8. A leading byte order mark, which some editors add, is removed. */
export async function readTextFile(path: string, options?: ReadOptions): Promise<string> {
  return (await readGivenFile(path, options)).toString('utf8').replace(/^\uFEFF/, '');
}

/** Reads the bytes of a file set by the operator. */
export async function readGivenFile(path: string, { regular = false }: ReadOptions = {}): Promise<Buffer> {
  if (!regular) return await readFile(path);
  assertRegular(await stat(path), path);
  // If the file has become a named pipe meanwhile, opening it would wait for a writer and block the thread, even past the program's end.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  assertRegular(await file.stat(), path);
  return await file.readFile();
}

function assertRegular(found: Stats, path: string): void {
  if (!found.isFile()) throw Object.assign(new Error(`${path} is not a regular file`), { code: found.isDirectory() ? 'EISDIR' : 'EFTYPE' });
}

/** Creates a folder that only this user can access, and its parents; throws if another user owns a folder of that name. */
export async function openPrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const found = await lstat(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} belongs to another user`);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Level by level: Node's recursive mkdir retries forever in an existing folder that allows no subfolders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    const there = await stat(folder).catch(() => undefined);
    if (there?.isDirectory() !== true) throw error;
  });
}
