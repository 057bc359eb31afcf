import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openUnnamed } from './open-unnamed.js';

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
  const { handle, path, remove } = await openUnnamed({ purpose: 'film', reachable: true });
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
