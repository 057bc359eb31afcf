import { constants, type Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

export interface ReadOptions {
  /**
   * Refuses what is no regular file (`EFTYPE`, of a folder `EISDIR`): a pipe or a terminal gives what it has once, and then keeps whoever
   * reads it waiting for good.
   */
  readonly regular?: boolean;
}

/** A file that an operator wrote, in UTF-8. The byte order mark that some editors put in front is no part of what they wrote. */
export async function readTextFile(path: string, options?: ReadOptions): Promise<string> {
  return (await readGivenFile(path, options)).toString('utf8').replace(/^\uFEFF/, '');
}

/** The bytes of a file that an operator has named. */
export async function readGivenFile(path: string, { regular = false }: ReadOptions = {}): Promise<Buffer> {
  if (!regular) return await readFile(path);
  assertRegular(await stat(path), path);
  // What has become a named pipe since would wait for who writes into it, and the thread with it, past the end of the program.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  assertRegular(await file.stat(), path);
  return await file.readFile();
}

function assertRegular(found: Stats, path: string): void {
  if (!found.isFile()) throw Object.assign(new Error(`${path} is no regular file`), { code: found.isDirectory() ? 'EISDIR' : 'EFTYPE' });
}
