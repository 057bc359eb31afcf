import { open, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { openPrivateFolder, PlatenError, partialPath } from '@platen/kernel';

/** Within the folder that the operator names: nothing else is touched there, and another form of entries will have another name. */
const SUBFOLDER = 'renders-1';

/**
 * Makes nothing, since who asks may be another user than the server's: throws `boot_invalid_flag` where what is there already keeps the
 * folder from being made.
 */
export async function checkFolder(flag: true | string): Promise<void> {
  if (flag === true) return;
  for (let at = resolve(flag); ; at = dirname(at)) {
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory() === true || at === dirname(at)) return;
    if (found !== undefined) throw cannotKeep([resolve(flag)], new Error(`${at} is no folder`));
  }
}

/** Opens the folder that `--server-cache` means. Throws `boot_invalid_flag`, with a text for the operator, where nothing can be written. */
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
  return new PlatenError('boot_invalid_flag', `--server-cache: results cannot be kept in ${folders.join(' or ')}: ${reason}`, { cause });
}

/** The user's cache folder (XDG Base Directory), else the temporary one. */
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
