import { openUnnamed, type UnnamedFile } from './open-unnamed.js';

/** A private file without a name: no other process can open it, and it is deleted when it is closed, or when the process ends. */
export interface SpoolFile {
  /** Bytes that were accepted and are not yet on disk. */
  readonly pending: number;
  /** Appends bytes and returns their position. */
  write(bytes: Buffer): Written;
  read(offset: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Written {
  readonly offset: number;
  /** Resolves when they are on disk; rejects with the disk's error. */
  readonly done: Promise<void>;
}

/** Opened at the first byte. */
export function createSpoolFile(): SpoolFile {
  let opened: Promise<UnnamedFile> | undefined;
  let last: Promise<void> = Promise.resolve();
  let size = 0;
  let pending = 0;
  const put = async (bytes: Buffer, offset: number): Promise<void> => {
    const { handle } = await (opened ??= openUnnamed({ purpose: 'spool', reachable: false }));
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  };
  return {
    get pending() {
      return pending;
    },
    write(bytes) {
      const offset = size;
      size += bytes.length;
      pending += bytes.length;
      const done = last
        .then(() => put(bytes, offset))
        .finally(() => {
          pending -= bytes.length;
        });
      last = done.catch(() => undefined);
      return { offset, done };
    },
    async read(offset, length) {
      if (!opened) throw new Error('nothing was written');
      const { handle } = await opened;
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      if (bytesRead !== length) throw new Error('the spool file is shorter than what was written to it');
      return buffer;
    },
    async close() {
      await last;
      const file = await opened?.catch(() => undefined);
      await file?.handle.close();
      await file?.remove();
    },
  };
}
