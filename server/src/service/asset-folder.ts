import { access, constants, readdir, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isStalePartial, openPrivateFolder, partialPath } from '@platen/kernel';

const RECORD = '.json';
/**
 * Age of orphaned bytes: a server that is killed before it writes the metadata leaves bytes alone, but another server may be about to write
 * it.
 */
const ORPHANED_MS = 3600 * 1000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders for a user's assets, in order of preference. */
export function assetFolders(environment: Environment): readonly string[] {
  return userFolders('assets', environment);
}

/** Folders of a user for one kind of data, in order of preference: in the cache folder (XDG Base Directory), else in the temporary folder. */
export function userFolders(name: string, environment: Environment): readonly string[] {
  const { XDG_CACHE_HOME, HOME } = environment;
  const cache = XDG_CACHE_HOME?.startsWith('/') === true ? XDG_CACHE_HOME : HOME === undefined ? undefined : join(HOME, '.cache');
  return [
    ...(cache === undefined ? [] : [join(cache, 'platen', name)]),
    join(tmpdir(), `platen-${name}-${process.getuid?.() ?? userInfo().username}`),
  ];
}

/** Opens the first usable folder. Throws the error of the last one. */
export async function openFirstFolder(folders: readonly string[]): Promise<string> {
  let failure: unknown;
  for (const folder of folders) {
    try {
      await openPrivateFolder(folder);
      await access(folder, constants.W_OK);
      return folder;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** The metadata file of the asset with the given file of bytes. */
export function toRecordName(path: string): string {
  return path + RECORD;
}

/** The partial file of the metadata. */
export function toRecordPart(path: string): string {
  return partialPath(toRecordName(path));
}

export interface FolderContents {
  readonly records: readonly string[];
  /** Files that no writer will complete. */
  readonly orphans: readonly string[];
}

export async function findLeftovers(folder: string): Promise<FolderContents> {
  const names = await readdir(folder);
  const all = new Set(names);
  const records = names.filter((name) => name.endsWith(RECORD));
  const bare = names.filter((name) => /^[\w-]{22}$/.test(name) && !all.has(toRecordName(name)));
  const parts = await Promise.all(names.map(async (name) => ((await isStalePartial(join(folder, name))) ? name : undefined)));
  const old = await Promise.all(bare.map(async (name) => ((await ageOf(join(folder, name))) > ORPHANED_MS ? name : undefined)));
  const orphans = [...parts, ...old].filter((name) => name !== undefined);
  return { records: records.map((name) => join(folder, name)), orphans: orphans.map((name) => join(folder, name)) };
}

async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}
