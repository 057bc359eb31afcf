import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private file that goes when it is closed, or with the process. */
export interface UnnamedFile {
  readonly handle: FileHandle;
  /** Where another process of this user can open it, if it is `reachable`. */
  readonly path: string;
  /** Takes its name away where the system could not do so while it is open. */
  remove(): Promise<void>;
}

export interface UnnamedOptions {
  /** In the name that it has for a moment. */
  readonly purpose: string;
  /** Other programs are to open it too: without a name that takes `/proc`. */
  readonly reachable: boolean;
}

const OWN_FILES = `/proc/${String(process.pid)}/fd`;

/**
 * Opens a new file for reading and writing and takes its name away at once, so that nothing stays behind whatever happens, even if this
 * process is killed. Where that cannot be (Windows, or a reachable file without `/proc`), its private folder goes with `remove`.
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
    // Windows takes the name away from no file that is open.
    if (found || !reachable) await remove().catch(() => undefined);
    return { handle, path: found ? nameless : named, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
