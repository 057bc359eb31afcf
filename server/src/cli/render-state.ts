import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, type RenderState } from '@platen/kernel';
import { UsageError } from './usage-error.js';

/** What a long render has done so far, beside its output file: `FILE.part` and the folder `FILE.state`. */
export interface StoredState {
  /** Creates it, or continues an earlier one. */
  open(): Promise<RenderState>;
  /** A private folder on the output's file system; undefined: the render keeps nothing. */
  readonly folder: string | undefined;
  /** Removes it: the output is complete. */
  remove(): Promise<void>;
  /** For the user, after a failure; undefined: nothing is stored. */
  describe(): Promise<string | undefined>;
}

export interface StoredStateOptions {
  /** Path of the output file. */
  readonly target: string;
  /** The same, for messages. */
  readonly name: string;
  readonly url: string;
  readonly outputType: unknown;
  readonly restart: boolean;
}

const MARK = 'render.json';
const NEW = '.new';
/** A data: URL may be long. */
const MAX_URL = 200;

/**
 * Looks for the state of an earlier run of the same command, and removes it for `--restart`.
 *
 * @throws UsageError if it is that of another render, or if something else has its name
 */
export async function findState({ target, name, url, outputType, restart }: StoredStateOptions): Promise<StoredState> {
  const [file, folder] = [`${target}.part`, `${target}.state`];
  const mark = join(folder, MARK);
  const remove = async () => {
    await rm(file, { force: true });
    await rm(folder, { recursive: true, force: true });
  };
  const found = await readMark(folder, name);
  if (found !== undefined && restart) await remove();
  else if (found !== undefined && (found.url !== url || found.output_type !== outputType))
    throw new UsageError(
      `${name}.state holds an interrupted render of ${found.url.slice(0, MAX_URL)}`,
      '--restart removes it and begins anew',
    );
  let isOpen = false;
  return {
    async open() {
      if ((await readMark(folder, name)) === undefined) {
        if (await exists(file)) throw new UsageError(`${name}.part exists already`, 'remove it, or write to another file');
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Complete or absent, whatever interrupts it.
        await writeFile(`${mark}${NEW}`, JSON.stringify({ url, output_type: outputType }));
        await rename(`${mark}${NEW}`, mark);
      }
      // What a killed process was writing.
      for (const left of await readdir(folder)) if (left.startsWith('.platen-')) await rm(join(folder, left));
      isOpen = true;
      return { folder, file };
    },
    get folder() {
      return isOpen ? folder : undefined;
    },
    async remove() {
      if (isOpen) await remove();
    },
    async describe() {
      return (await exists(mark)) && (await exists(file))
        ? `${name}.part keeps what is complete: the same command goes on, with --restart it begins anew`
        : undefined;
    },
  };
}

/** @throws UsageError if the folder is not that of a render */
async function readMark(folder: string, name: string): Promise<{ readonly url: string; readonly output_type: unknown } | undefined> {
  const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : ['?']));
  if (names.every((found) => found === `${MARK}${NEW}`)) return undefined;
  try {
    const mark: unknown = JSON.parse(await readFile(join(folder, MARK), 'utf8'));
    // Written by `open`.
    if (typeof mark === 'object' && mark !== null && 'url' in mark) return mark as { readonly url: string; readonly output_type: unknown };
    throw new Error('its mark has no URL');
  } catch {
    throw new UsageError(`${name}.state is not the state of a render`, 'remove it, or write to another file');
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
