import { constants, type Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

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
