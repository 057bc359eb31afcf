import { existsSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/**
 * A file for a container that must be written to and fro. On Linux it has no name from the start, so that nothing stays behind
 * whatever happens, even if this process is killed; elsewhere its private folder goes as soon as the file is read or given up.
 */
export interface ScratchFile extends AsyncDisposable {
  /** Where another process of this user can open it. */
  readonly path: string;
  append(bytes: Buffer): Promise<void>;
  /** What was written, as a stream that owns the file from now on. */
  read(): Promise<Readable>;
  readAll(): Promise<Buffer>;
}

const OWN_FILES = `/proc/${String(process.pid)}/fd`;

export async function openScratchFile(): Promise<ScratchFile> {
  // 0700 by mkdtemp.
  const folder = await mkdtemp(join(tmpdir(), `platen-film-${String(process.pid)}-`));
  const path = join(folder, 'film');
  const clear = () => rm(folder, { recursive: true, force: true });
  const file = await open(path, 'wx+', 0o600).catch(async (error: unknown) => {
    await clear();
    throw error;
  });
  const nameless = existsSync(`${OWN_FILES}/${String(file.fd)}`);
  if (nameless) await clear();
  let given = false;
  const read = async () => {
    await clear();
    given = true;
    return file.createReadStream({ start: 0 });
  };
  return {
    path: nameless ? `${OWN_FILES}/${String(file.fd)}` : path,
    append: (bytes) => file.appendFile(bytes),
    read,
    readAll: async () => buffer(await read()),
    async [Symbol.asyncDispose]() {
      if (!given) await file.close();
      await clear();
    },
  };
}
