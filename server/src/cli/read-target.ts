import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from './usage-error.js';

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[\w.-]+:\d+(?:\/|$)/;
/** Of a word with such an ending the last part is no top-level domain. */
const DOCUMENT = /\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$/i;

/** The URL of a single capture: `example.com` is what people type; everything with a scheme is judged as it is. */
export async function readTarget(
  word: string,
  { file, cwd }: { readonly file: string | undefined; readonly cwd: string },
): Promise<string> {
  if (file !== undefined && /^(?:https?|data):/i.test(file))
    throw new UsageError(`${file.slice(0, 80)} stands where the file is to be`, 'the URL comes first: platen URL FILE');
  if (SCHEME.test(word) && !HOST_AND_PORT.test(word)) return word;
  if (/^[./~]/.test(word) || (DOCUMENT.test(word) && (await isFile(resolve(cwd, word)))))
    throw new UsageError(`${word} is a file, and Platen renders URLs`, 'serve its folder over http, or give it as a data: URL');
  return /^(?:localhost|127\.\d+\.\d+\.\d+)(?:[:/]|$)/.test(word) ? `http://${word}` : `https://${word}`;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
