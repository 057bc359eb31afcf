import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { withScheme } from '@platen/kernel';
import { UsageError } from '../flags/usage-error.js';

/** File extensions of documents: in a word with one of them, the last part is not a top-level domain. */
const DOCUMENT = /\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$/i;

const LIST_TYPES: Readonly<Record<string, string>> = { '.xml': 'application/xml', '.gz': 'application/gzip' };

export interface TargetOptions {
  /** The output file. */
  readonly file: string | undefined;
  readonly cwd: string;
  /** The target is a list of URLs, which may be a local file. */
  readonly isList: boolean;
}

/**
 * The URL of a single capture: the scheme may be omitted, as in `example.com`; a URL with a scheme is not changed. A file of URLs becomes a
 * data: URL.
 *
 * @throws UsageError for other files
 */
export async function readTarget(word: string, { file, cwd, isList }: TargetOptions): Promise<string> {
  if (file !== undefined && /^(?:https?|data):/i.test(file))
    throw new UsageError(`${file.slice(0, 80)} is in the place of the file`, 'the URL comes first: platen URL FILE');
  const url = withScheme(word);
  const path = resolve(cwd, word);
  if (!/^[./~]/.test(word) && (url === undefined || !DOCUMENT.test(word) || !(await isFile(path)))) return url ?? word;
  if (isList && (await isFile(path)))
    return `data:${LIST_TYPES[extname(path)] ?? 'text/plain'};base64,${(await readFile(path)).toString('base64')}`;
  throw new UsageError(
    `${word} is a file; Platen renders URLs`,
    'serve its folder over HTTP, or use a data: URL; --crawl-url-is-sitemap archives the URLs in a file',
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
