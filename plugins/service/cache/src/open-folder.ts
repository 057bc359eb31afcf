import { open, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openPrivateFolder, PlatenError, partialPath } from '@platen/kernel';

/** Subdirectory of the configured directory; nothing else in there is touched. Another entry format gets another name. */
const SUBFOLDER = 'renders-1';

/**
 * Checks that the directory can be created, without creating it: the caller may run as another user than the server.
 *
 * @throws PlatenError `boot_invalid_flag` if a parent is not a directory.
 */
export async function checkFolder(flag: true | string): Promise<void> {
  if (flag === true) return;
  for (let at = resolve(flag); ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory() === true || at === dirname(at)) return;
    if (found !== undefined) throw cannotKeep([resolve(flag)], new Error(`${at} is not a directory`));
  }
}

/**
 * Opens the directory of `--server-cache`.
 *
 * @throws PlatenError `boot_invalid_flag` if it is not writable.
 */
export async function openFolder(flag: true | string): Promise<string> {
  const folders = (flag === true ? defaultFolders(process.env) : [resolve(flag)]).map((folder) => join(folder, SUBFOLDER));
  let failure: unknown;
  for (const folder of folders) {
    try {
      await openPrivateFolder(folder);
      await tryToWrite(folder);
      return folder;
    } catch (error) {
      failure = error;
    }
  }
  throw cannotKeep(folders, failure);
}

function cannotKeep(folders: readonly string[], cause: unknown): PlatenError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlatenError('boot_invalid_flag', `--server-cache: cannot write to ${folders.join(' or ')}: ${reason}`, { cause });
}

/** The user's cache directory (XDG Base Directory), else the temporary directory. */
function defaultFolders({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>>): readonly string[] {
  const cache = XDG_CACHE_HOME?.startsWith('/') === true ? XDG_CACHE_HOME : HOME === undefined ? undefined : join(HOME, '.cache');
  return [
    ...(cache === undefined ? [] : [join(cache, 'platen')]),
    join(tmpdir(), `platen-cache-${process.getuid?.() ?? userInfo().username}`),
  ];
}

async function tryToWrite(folder: string): Promise<void> {
  const probe = partialPath(join(folder, 'probe'));
  await (await open(probe, 'w', 0o600)).close();
  await rm(probe);
}
