import { resolve } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { describeReadError, readTextFile } from '@platen/kernel';
import { LicenseFault } from './license.js';

/**
 * Parses options with values, and positionals.
 *
 * @throws LicenseFault for unknown options.
 */
export function parseWords(args: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    return { values, positionals };
  } catch (error) {
    throw new LicenseFault(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

/** `KEY` itself, or `@FILE` that contains the key. */
export async function readGiven(given: string, cwd: string): Promise<string> {
  return given.startsWith('@') ? await readText(given.slice(1), cwd) : given;
}

/** The text of a file, or of standard input (`-`). */
export async function readText(path: string, cwd: string): Promise<string> {
  if (path === '-') return await text(process.stdin);
  return await readTextFile(resolve(cwd, path)).catch((error: unknown) => {
    throw new LicenseFault(`cannot read ${path}: ${describeReadError(error)}`);
  });
}
