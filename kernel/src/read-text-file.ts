import { readFile } from 'node:fs/promises';

/** A file that an operator wrote, in UTF-8. The byte order mark that some editors put in front is no part of what they wrote. */
export async function readTextFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
}
