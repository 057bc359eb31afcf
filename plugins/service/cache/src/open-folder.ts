import { open, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { openPrivateFolder, PlatenError } from '@platen/kernel';

/** Within the folder that the operator names: nothing else is touched there, and another form of entries will have another name. */
const SUBFOLDER = 'renders-1';

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
  const reason = failure instanceof Error ? failure.message : String(failure);
  throw new PlatenError('boot_invalid_flag', `--server-cache: results cannot be kept in ${folders.join(' or ')}: ${reason}`, {
    cause: failure,
  });
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
  const probe = join(folder, `probe.${String(process.pid)}.part`);
  await (await open(probe, 'w', 0o600)).close();
  await rm(probe);
}
