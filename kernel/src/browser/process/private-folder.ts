import { chmod, chown, lstat, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PlatenError } from '../../errors.js';
import { isAlive, namespaceOfPids } from '../../partial-file.js';

/** The user that a browser runs as instead of root. */
export interface UnixUser {
  readonly uid: number;
  readonly gid: number;
}

export interface PrivateFolder {
  readonly path: string;
  /** Undefined: Platen itself. */
  readonly owner: UnixUser | undefined;
  remove(): Promise<void>;
}

const PREFIX = 'platen-';

/** How often a folder in use is touched, and after how long an untouched folder of an unknown process is stale. */
const TOUCH_MS = 3_600_000;
const ABANDONED_MS = 24 * TOUCH_MS;

/** A new folder that only its owner can read: profile, home and temporary folder of one browser. */
export async function createPrivateFolder(owner: UnixUser | undefined): Promise<PrivateFolder> {
  const parent = await chooseParent(owner);
  const path = await mkdtemp(join(parent, `${PREFIX}${String(process.pid)}-${namespaceOfPids()}-`));
  const touching = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), TOUCH_MS).unref();
  const remove = () => {
    clearInterval(touching);
    return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    await chmod(path, 0o700);
    if (owner) await chown(path, owner.uid, owner.gid);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, owner, remove };
}

/**
 * Removes folders of ended processes, and folders of other containers not touched for a day. Folders of other users, or that cannot be
 * removed, stay.
 */
export async function sweepPrivateFolders(parent = tmpdir()): Promise<void> {
  const here = namespaceOfPids();
  const names = await readdir(parent).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const [, pid, namespace] = /^platen-(\d+)-(\d+)-\w+$/.exec(name) ?? [];
      const path = join(parent, name);
      const isLeft = pid !== undefined && (await isStale(path, { pid: Number(pid), isHere: namespace === here }));
      if (isLeft) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}

async function isStale(path: string, { pid, isHere }: { readonly pid: number; readonly isHere: boolean }): Promise<boolean> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isDirectory() !== true) return false;
  if (!isHere) return facts.mtimeMs < Date.now() - ABANDONED_MS;
  // In a container the server has the same pid after every restart: folders older than this process belong to an earlier one.
  if (pid === process.pid) return facts.birthtimeMs > 0 && facts.birthtimeMs < Date.now() - process.uptime() * 1000 - 1000;
  return !isAlive(pid);
}

async function chooseParent(owner: UnixUser | undefined): Promise<string> {
  if (!owner) return tmpdir();
  for (const parent of [tmpdir(), '/tmp', '/var/tmp']) if (await isReachable(parent, owner)) return parent;
  throw new PlatenError(
    'browser_unavailable',
    'the browser user cannot access any temporary directory; set TMPDIR to one that it can access',
  );
}

/** Whether the user may pass through every folder on the way to the path, and through the path itself. */
export async function isReachable(path: string, { uid, gid }: UnixUser): Promise<boolean> {
  for (let at = resolve(path); ; at = dirname(at)) {
    const facts = await stat(at).catch(() => undefined);
    if (!facts) return false;
    const bit = facts.uid === uid ? 0o100 : facts.gid === gid ? 0o010 : 0o001;
    if ((facts.mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
