import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private file that is deleted when it is closed, or when the process ends. */
export interface UnnamedFile {
  readonly handle: FileHandle;
  /** A path by which another process of this user can open it, if it is `reachable`. */
  readonly path: string;
  /** Deletes the name if the system could not do so while the file is open. */
  remove(): Promise<void>;
}

export interface UnnamedOptions {
  /** Part of the file's temporary name. */
  readonly purpose: string;
  /** Other programs need to open it, too: without a name this requires `/proc`. */
  readonly reachable: boolean;
}

const OWN_FILES = `/proc/${String(process.pid)}/fd`;

/**
 * Opens a new file for reading and writing and unlinks it immediately, so that nothing remains even if this process is killed. If that is
 * impossible (Windows, or a reachable file without `/proc`), `remove` deletes its private directory.
 */
export async function openUnnamed({ purpose, reachable }: UnnamedOptions): Promise<UnnamedFile> {
  // 0700 by mkdtemp.
  const own = await mkdtemp(join(tmpdir(), `platen-${purpose}-${String(process.pid)}-`));
  const remove = () => rm(own, { recursive: true, force: true });
  const named = join(own, 'file');
  try {
    const handle = await open(named, 'wx+', 0o600);
    const nameless = `${OWN_FILES}/${String(handle.fd)}`;
    const found = existsSync(nameless);
    // Windows cannot unlink an open file.
    if (found || !reachable) await remove().catch(() => undefined);
    return { handle, path: found ? nameless : named, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
