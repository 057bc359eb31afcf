import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, type OpenState } from '@platen/kernel';
import { UsageError } from '../flags/usage-error.js';
import { toOutputError } from './write-output.js';

/** What a long render has done so far, beside its output file: `FILE.part` and the folder `FILE.state`. */
export interface StoredState {
  /**
   * Creates it, or continues an earlier one; with `--restart` it removes that.
   *
   * @throws UsageError if it is that of another render, or if something else has its name; OutputError if it cannot be created
   */
  readonly open: OpenState;
  /** A private folder on the output's file system; undefined: the render keeps nothing. */
  readonly folder: string | undefined;
  /** Removes it, if it is open: the output is complete. */
  remove(): Promise<void>;
  /** For the user; undefined: nothing is stored, or `open` has said why it is of no use. */
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

/** The state of a render, or of an earlier run of the same command. Nothing is read or written until it is opened. */
export function stateOf(options: StoredStateOptions): StoredState {
  const { target, name, url, outputType } = options;
  const [file, folder] = [`${target}.part`, `${target}.state`];
  let phase: 'unopened' | 'refused' | 'open' = 'unopened';
  const remove = async () => {
    await rm(file, { force: true });
    await rm(folder, { recursive: true, force: true });
  };
  return {
    async open(assertUnused) {
      phase = 'refused';
      if (!(await reuse(folder, { ...options, assertUnused, remove }))) {
        if (await exists(file)) throw new UsageError(`${name}.part exists already`, 'remove it, or write to another file');
        await create(folder, { url, output_type: outputType }).catch((error: unknown) => {
          throw toOutputError(error, folder);
        });
      }
      phase = 'open';
      return { folder, file };
    },
    get folder() {
      return phase === 'open' ? folder : undefined;
    },
    async remove() {
      if (phase === 'open') await remove();
    },
    async describe() {
      const found = phase !== 'refused' && (await exists(file)) ? await readMark(folder, name).catch(() => undefined) : undefined;
      if (found === undefined) return undefined;
      return phase === 'open'
        ? `${name}.part keeps what is complete: the same command goes on, with --restart it begins anew`
        : `${name}.part keeps an unfinished crawl of ${found.url.slice(0, MAX_URL)}: its command goes on and replaces ${name}, with --restart it begins anew`;
    },
  };
}

async function create(folder: string, mark: Mark): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, MARK);
  // Complete or absent, whatever interrupts it.
  await writeFile(`${path}${NEW}`, JSON.stringify(mark));
  await rename(`${path}${NEW}`, path);
}

interface Mark {
  readonly url: string;
  readonly output_type: unknown;
}

interface Reuse extends StoredStateOptions {
  readonly assertUnused: Parameters<OpenState>[0];
  remove(): Promise<void>;
}

/** Whether there is a state to go on with. One that is not wanted is removed. */
async function reuse(folder: string, { name, url, outputType, restart, assertUnused, remove }: Reuse): Promise<boolean> {
  const found = await readMark(folder, name);
  if (found === undefined) return false;
  if (!restart && (found.url !== url || found.output_type !== outputType))
    throw new UsageError(
      `${name}.state holds an interrupted render of ${found.url.slice(0, MAX_URL)}`,
      '--restart removes it and begins anew',
    );
  await assertUnused(folder);
  // What a killed process was writing.
  if (!restart) for (const left of await readdir(folder)) if (left.startsWith('.platen-')) await rm(join(folder, left));
  if (restart) await remove();
  return !restart;
}

/** @throws UsageError if the folder is not that of a render */
async function readMark(folder: string, name: string): Promise<Mark | undefined> {
  const names = await readdir(folder).catch((error: unknown) => (isMissing(error) ? [] : ['?']));
  if (names.every((found) => found === `${MARK}${NEW}`)) return undefined;
  try {
    const mark: unknown = JSON.parse(await readFile(join(folder, MARK), 'utf8'));
    // Written by `open`.
    if (typeof mark === 'object' && mark !== null && 'url' in mark) return mark as Mark;
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
