import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { type CommandIo, describeReadError, PlatenError } from '@platen/kernel';
import { compareImages } from './compare-images.js';
import { describeComparison, isBeyond, type Limits } from './comparison.js';
import type { Sensitivity } from './find-differences.js';
import { type Entry, type Folders, writeReport } from './write-report.js';

export interface FolderOptions extends Sensitivity, Folders {
  /** The file of the report. */
  readonly out: string | undefined;
  readonly limits: Limits;
}

/** @throws PlatenError for wrong usage */
export function readOptions(args: readonly string[], cwd: string): FolderOptions {
  const { values, positionals } = parse(args);
  const [old, current, ...more] = positionals;
  if (old === undefined || current === undefined || more.length > 0) throw wrong('compare takes two folders: platen compare OLD NEW');
  const pixels = readNumber(values, 'compare-max-pixels', { most: Infinity, isWhole: true });
  const ratio = readNumber(values, 'compare-max-ratio', { most: 1 });
  return {
    old: resolve(cwd, old),
    new: resolve(cwd, current),
    out: values.out === undefined ? undefined : resolve(cwd, values.out),
    threshold: readNumber(values, 'compare-threshold', { most: 1 }) ?? 0.1,
    antialiasing: values['compare-antialiasing'] === true,
    limits: pixels === undefined && ratio === undefined ? { pixels: 0 } : { pixels, ratio },
  };
}

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  ...{ out: TEXT, 'compare-threshold': TEXT, 'compare-max-pixels': TEXT, 'compare-max-ratio': TEXT },
  'compare-antialiasing': { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrong(`${error instanceof Error ? error.message : String(error)}; see platen compare --help`);
  }
}

interface NumberRange {
  readonly most: number;
  readonly isWhole?: boolean;
}

function readNumber(values: Values, name: keyof typeof OPTIONS, { most, isWhole = false }: NumberRange): number | undefined {
  const text = values[name];
  if (typeof text !== 'string') return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= most && (!isWhole || Number.isSafeInteger(value))) return value;
  throw wrong(`--${name} must be ${isWhole ? 'a whole number from 0 on' : `a number from 0 to ${String(most)}`}`);
}

function wrong(text: string): PlatenError {
  return new PlatenError('invalid_parameters', text);
}

/** Prints a line for each image that is not equal, and how many there are. Resolves with the exit code. */
export async function compareFolders(options: FolderOptions, { stdout }: Pick<CommandIo, 'stdout'>): Promise<number> {
  const [before, after] = [await listImages(options.old), await listImages(options.new)];
  const names = [...new Set([...before, ...after])].sort();
  if (names.length === 0) throw wrong('neither folder has an image: png, jpg, webp, avif, tiff or gif');
  const place = async (name: string): Promise<Entry> => {
    if (!after.includes(name)) return { name, state: 'missing', note: 'only in OLD' };
    return before.includes(name) ? await comparePair(name, options) : { name, state: 'missing', note: 'only in NEW' };
  };
  const entries = await Promise.all(names.map(place));
  for (const { name, state, note } of entries) if (state !== 'equal') stdout.write(`${state.padEnd(10)} ${name}: ${note}\n`);
  stdout.write(`${summarize(entries)}\n`);
  if (options.out !== undefined) await writeReport(options.out, { entries, folders: options, summary: summarize(entries) });
  if (entries.some(({ state }) => state === 'missing' || state === 'unreadable')) return 1;
  return entries.some(({ state }) => state === 'beyond') ? 3 : 0;
}

const COUNTED = { equal: 'equal', within: 'within the limits', beyond: 'beyond the limits', missing: 'missing', unreadable: 'unreadable' };

function summarize(entries: readonly Entry[]): string {
  const counts = Object.entries(COUNTED).map(([state, text]) => [entries.filter((entry) => entry.state === state).length, text] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, text]) => `${String(count)} ${text}`);
  return `${String(entries.length)} ${entries.length === 1 ? 'image' : 'images'}: ${parts.join(', ')}`;
}

/** Also of formats that cannot be read: silence about an image would pass for an equal one. */
const ENDINGS = /\.(?:png|jpe?g|jpe|webp|avif|tiff?|gif|bmp|jxl)$/i;

/**
 * Paths in the folder, with slashes.
 *
 * @throws Error that names the folder if it is missing or unreadable: not wrong usage, just as for a missing image
 */
async function listImages(folder: string): Promise<readonly string[]> {
  try {
    if (!(await stat(folder)).isDirectory()) throw wrong(`not a folder: ${folder}`);
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found.filter((one) => (one.isFile() || one.isSymbolicLink()) && ENDINGS.test(one.name));
    return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'));
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw new Error(`cannot read ${folder}: ${describeReadError(error)}`, { cause: error });
  }
}

async function comparePair(name: string, { old, new: current, threshold, antialiasing, limits }: FolderOptions): Promise<Entry> {
  const files = { image: join(current, name), baseline: join(old, name) };
  const input = { ...files, threshold, antialiasing, panels: ['change'], undrawn: { pixels: 0 } } as const;
  const found = await compareImages(input, { signal: new AbortController().signal });
  if ('problem' in found) return { name, state: 'unreadable', note: `${found.of === 'image' ? 'in NEW' : 'in OLD'}, ${found.problem}` };
  const { comparison, drawing } = found;
  if (comparison.equal) return { name, state: 'equal', note: '', comparison };
  return { name, state: isBeyond(comparison, limits) ? 'beyond' : 'within', note: describeComparison(comparison), comparison, drawing };
}
