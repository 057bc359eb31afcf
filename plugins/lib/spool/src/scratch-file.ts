import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openUnnamed } from './open-unnamed.js';

/** A file for what must be written to and fro, by a program beside this one. Nothing of it stays behind. */
export interface ScratchFile extends AsyncDisposable {
  /** Where another process of this user can open it. */
  readonly path: string;
  append(bytes: Buffer): Promise<void>;
  /** What was written, as a stream that owns the file from now on. */
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
