import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

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

/** A file with random access, for an external program. It leaves nothing behind. */
export interface ScratchFile extends AsyncDisposable {
  /** A path by which another process of this user can open it. */
  readonly path: string;
  append(bytes: Buffer): Promise<void>;
  /** The written content as a stream, which owns the file from now on. */
  read(): Promise<Readable>;
  readAll(): Promise<Buffer>;
}

export async function openScratchFile(): Promise<ScratchFile> {
  const { handle, path, remove } = await openUnnamed({ purpose: 'video', reachable: true });
  let given = false;
  const read = async () => {
    await remove();
    given = true;
    return handle.createReadStream({ start: 0 });
  };
  return {
    path,
    append: (bytes) => handle.appendFile(bytes),
    read,
    readAll: async () => buffer(await read()),
    async [Symbol.asyncDispose]() {
      if (!given) await handle.close();
      await remove();
    },
  };
}
