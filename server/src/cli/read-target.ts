import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withScheme } from '@platen/kernel';
import { UsageError } from './usage-error.js';

/** File extensions of documents: in a word with one of them, the last part is not a top-level domain. */
const DOCUMENT = /\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$/i;

/** The URL of a single capture: the scheme may be omitted, as in `example.com`; a URL with a scheme is not changed. */
export async function readTarget(
  word: string,
  { file, cwd }: { readonly file: string | undefined; readonly cwd: string },
): Promise<string> {
  if (file !== undefined && /^(?:https?|data):/i.test(file))
    throw new UsageError(`${file.slice(0, 80)} stands where the file is to be`, 'the URL comes first: platen URL FILE');
  const url = withScheme(word);
  if (/^[./~]/.test(word) || (url !== undefined && DOCUMENT.test(word) && (await isFile(resolve(cwd, word)))))
    throw new UsageError(`${word} is a file, and Platen renders URLs`, 'serve its folder over http, or give it as a data: URL');
  return url ?? word;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
