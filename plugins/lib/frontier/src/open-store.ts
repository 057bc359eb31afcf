import { mkdir, readdir } from 'node:fs/promises';
import type { ClassicLevel } from 'classic-level';

/** The frontier's folder cannot be used; the message says why, without the path. */
export class FrontierError extends Error {
  override readonly name = 'FrontierError';
}

/** Keys and values are text. */
export type Store = ClassicLevel;

/** The layout of the store: a later one gets another number. */
const FORMAT = { key: 'format', value: 'platen-frontier 1' };

/** Names of LevelDB's own files. */
const OWN_FILE = /^(?:CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(?:log|ldb|sst|dbtmp))$/;
/** Files that LevelDB writes only after `CURRENT`, without which it would start anew. */
const DATA_FILE = /\.(?:log|ldb|sst)$/;

/** LevelDB maps its tables into memory: fewer and smaller ones than its defaults (1,000 of 2 MiB) bound the resident memory. */
const MEMORY = { maxOpenFiles: 74, maxFileSize: 1024 * 1024 };

/**
 * Opens the LevelDB in a folder, or creates it in a new or empty one, which only this user can read.
 *
 * @throws FrontierError if the folder holds anything else, is corrupt, or is in use by another process.
 */
export async function openStore(folder: string): Promise<Store> {
  const names = await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => readdir(folder))
    .catch((error: unknown) => {
      throw new FrontierError(`the frontier's folder cannot be used: ${describe(error)}`, { cause: error });
    });
  const other = names.find((name) => !OWN_FILE.test(name));
  if (other !== undefined) throw new FrontierError(`the folder is not a frontier's: it holds "${other}"`);
  if (!names.includes('CURRENT') && names.some((name) => DATA_FILE.test(name)))
    throw new FrontierError('the frontier is corrupt: its file CURRENT is missing');
  const store = await createLevel(folder, MEMORY);
  try {
    await store.open();
  } catch (error) {
    throw openError(error);
  }
  try {
    await checkFormat(store);
  } catch (error) {
    await store.close();
    throw toFrontierError(error);
  }
  return store;
}

/**
 * A folder that is missing or damaged is not in use.
 *
 * @throws FrontierError if a process uses the frontier in it, this one too.
 */
export async function assertUnused(folder: string): Promise<void> {
  const store = await createLevel(folder, { ...MEMORY, createIfMissing: false });
  try {
    await store.open();
  } catch (error) {
    if (isLocked(causeOf(error))) throw openError(error);
    return;
  }
  await store.close();
}

/** Only crawls load the database. */
async function createLevel(folder: string, options: typeof MEMORY & { readonly createIfMissing?: boolean }): Promise<Store> {
  const { ClassicLevel: Level } = await import('classic-level');
  return new Level<string, string>(folder, { ...options });
}

async function checkFormat(store: Store): Promise<void> {
  const format = await store.get(FORMAT.key);
  if (format === FORMAT.value) return;
  const [first] = await store.keys({ limit: 1 }).all();
  if (format !== undefined || first !== undefined)
    throw new FrontierError(`the folder is not a frontier's: it holds ${format ?? 'a LevelDB of another program'}`);
  await store.put(FORMAT.key, FORMAT.value, { sync: true });
}

/** An error of reading or writing, in words that do not contain the path. */
export function toFrontierError(error: unknown): FrontierError {
  if (error instanceof FrontierError) return error;
  const reason = ioReasonOf(error);
  if (reason === FULL) return new FrontierError('the disk is full', { cause: error });
  if (reason !== undefined && UNWRITABLE.has(reason))
    return new FrontierError(`the frontier's folder cannot be written: ${reason}`, { cause: error });
  return new FrontierError(`the frontier is corrupt or not readable: ${describe(error)}`, { cause: error });
}

/** The store's own error says only that opening failed; its cause says why. */
function openError(error: unknown): FrontierError {
  const cause = causeOf(error);
  return isLocked(cause) ? new FrontierError('the frontier is in use by another process', { cause }) : toFrontierError(cause);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}

function isLocked(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'LEVEL_LOCKED';
}

const FULL = 'No space left on device';
const UNWRITABLE = new Set(['Permission denied', 'Read-only file system', 'Disk quota exceeded', 'Operation not permitted']);

/** LevelDB reports the system's own words, after the path: all of them have one code. */
function ioReasonOf(error: unknown): string | undefined {
  const isIoError = error instanceof Error && 'code' in error && error.code === 'LEVEL_IO_ERROR';
  return isIoError ? error.message.split(': ').at(-1)?.trim() : undefined;
}

/** By its code: the message would contain the path. */
function describe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
