import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { describeReadError, readGivenFile, type ReadLocalFile } from '@platen/kernel';
import type { Io } from '../boot/io.js';
import { UsageError } from '../flags/usage-error.js';

/** The target of a single capture, as parameters. */
export interface CaptureTarget {
  readonly params: Readonly<Record<'url', string> & Partial<Record<'upload', Readonly<Record<string, string>>>>>;
  /** If the target is a file: reads those that its page requests. */
  readonly readLocalFile?: ReadLocalFile;
  /** The same: its `file:` URL, which distinguishes it from others of its name. */
  readonly fileUrl?: string;
}

/** A command line with a mistake is read twice. */
const inputs = new WeakMap<Readable, Promise<Buffer>>();

/** HTML from standard input. */
export async function readStandardInput({ openStdin }: Pick<Io, 'openStdin'>): Promise<CaptureTarget> {
  const stdin = openStdin?.();
  if (stdin === undefined || stdin.isTTY === true) throw new UsageError('no HTML is sent to standard input', 'platen - FILE < page.html');
  const input = inputs.get(stdin) ?? buffer(stdin);
  inputs.set(stdin, input);
  const upload = { 'index.html': toDataUrl(await input, 'text/html') };
  return { params: { url: 'https://upload.invalid/', upload } };
}

/**
 * A file of the user; of a folder its `index.html`. The page may load the files of its folder.
 *
 * @throws UsageError
 */
export async function readLocalTarget(word: string, cwd: string): Promise<CaptureTarget> {
  const given = resolve(cwd, word);
  const isFolder = (await stat(given).catch(() => undefined))?.isDirectory() === true;
  const path = isFolder ? join(given, 'index.html') : given;
  try {
    const bytes = await readGivenFile(path, { regular: true });
    const name = basename(path);
    const readLocalFile = await openFolder(dirname(path));
    return { params: { url: name, upload: { [name]: toDataUrl(bytes, '') } }, readLocalFile, fileUrl: pathToFileURL(path).href };
  } catch (error) {
    const hint = 'give a URL, a file such as ./page.html, a folder with an index.html, or - for standard input';
    throw new UsageError(`${isFolder ? join(word, 'index.html') : word} cannot be read: ${describeReadError(error)}`, hint);
  }
}

function toDataUrl(bytes: Buffer, type: string): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** Reads the files in a folder, but neither hidden ones nor those to which a link leads out of it. */
async function openFolder(folder: string): Promise<ReadLocalFile> {
  const root = await realpath(folder);
  return async (path) => {
    try {
      const found = await realpath(join(root, path));
      if ([path, relative(root, found)].some((inside) => inside.split(/[\\/]/).some((part) => part.startsWith('.')))) return undefined;
      return found.startsWith(root.endsWith(sep) ? root : root + sep) ? await readGivenFile(found, { regular: true }) : undefined;
    } catch {
      // For the page it does not exist.
      return undefined;
    }
  };
}
