import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, isStalePartial } from '@platen/kernel';

/** An entry in the directory. */
export interface FoundEntry {
  readonly key: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

export interface FolderContents {
  /** Oldest first. */
  readonly entries: readonly FoundEntry[];
  /** Unfinished files whose writer has gone. */
  readonly abandoned: readonly string[];
}

const ENTRY = /^[0-9a-f]{64}$/;
const AT_ONCE = 32;

export async function readFolder(folder: string, now: number): Promise<FolderContents> {
  const names = await readdir(folder).catch((error: unknown) => {
    // The directory was removed: the next entry recreates it.
    if (isMissing(error)) return [];
    throw error;
  });
  const found = await inBatches(
    names.filter((name) => ENTRY.test(name)),
    async (key) => ({ key, file: await stat(join(folder, key)).catch(() => undefined) }),
  );
  const entries = found.flatMap(({ key, file }) => (file === undefined ? [] : [{ key, bytes: file.size, storedAt: file.mtimeMs }]));
  const partNames = names.filter((name) => name.endsWith('.part'));
  const parts = await inBatches(partNames, async (name) => ((await isStalePartial(join(folder, name), now)) ? [join(folder, name)] : []));
  return { entries: entries.sort((a, b) => a.storedAt - b.storedAt), abandoned: parts.flat() };
}

/** Limits concurrency, so that requests do not wait behind the reads of a hundred thousand files. */
async function inBatches<T>(names: readonly string[], look: (name: string) => Promise<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) found.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map(look))));
  return found;
}
