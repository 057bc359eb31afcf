import { type Block, createSpoolWriter, type SpoolWriter } from './spool-writer.js';
import { openUnnamed, type UnnamedFile } from './unnamed-file.js';

/** Stores any number of concurrent byte sequences in bounded memory, until it is disposed of. */
export interface Spool extends AsyncDisposable {
  openWriter(): SpoolWriter;
  /** Resolves when all bytes accepted so far are on disk; rejects with the disk's error. For sources that can wait. */
  flushed(): Promise<void>;
}

export interface SpoolOptions {
  /** Bytes that are buffered in memory; the rest goes to a private file. */
  readonly memoryBytes?: number;
  /** Bytes that may wait for the disk: beyond this limit none are accepted. */
  readonly pendingBytes?: number;
}

const MEMORY_BYTES = 1024 * 1024;
const PENDING_BYTES = 64 * 1024 * 1024;

export function createSpool({ memoryBytes = MEMORY_BYTES, pendingBytes = PENDING_BYTES }: SpoolOptions = {}): Spool {
  const file = createSpoolFile();
  let inMemory = 0;
  let closed = false;
  const keep = (bytes: Buffer): Block | undefined => {
    if (closed) return undefined;
    if (inMemory + bytes.length <= memoryBytes) {
      inMemory += bytes.length;
      return { held: bytes, read: () => Promise.resolve(bytes) };
    }
    if (file.pending + bytes.length > pendingBytes) return undefined;
    return keepOnDisk(bytes);
  };
  const keepOnDisk = (bytes: Buffer): Block => {
    let held: Buffer | undefined = bytes;
    const { length } = bytes;
    const { offset, done } = file.write(bytes);
    const written = done.then(() => {
      held = undefined;
    });
    written.catch(() => {
      held = undefined;
    });
    return {
      get held() {
        return held;
      },
      async read() {
        await written;
        return file.read(offset, length);
      },
    };
  };
  return {
    openWriter: () => createSpoolWriter(keep),
    flushed: () => file.flushed(),
    async [Symbol.asyncDispose]() {
      closed = true;
      await file.close();
    },
  };
}

/** A private file without a name: no other process can open it, and it is deleted when it is closed, or when the process ends. */
interface SpoolFile {
  /** Bytes that were accepted and are not yet on disk. */
  readonly pending: number;
  /** Appends bytes and returns their position. */
  write(bytes: Buffer): Written;
  read(offset: number, length: number): Promise<Buffer>;
  /** See `Spool`. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

interface Written {
  readonly offset: number;
  /** Resolves when they are on disk; rejects with the disk's error. */
  readonly done: Promise<void>;
}

/** Opened at the first byte. */
function createSpoolFile(): SpoolFile {
  let opened: Promise<UnnamedFile> | undefined;
  let last: Promise<void> = Promise.resolve();
  let latest: Promise<void> = last;
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
      latest = done;
      last = done.catch(() => undefined);
      return { offset, done };
    },
    flushed: () => latest,
    async read(offset, length) {
      if (!opened) throw new Error('nothing was written');
      const { handle } = await opened;
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, offset);
      if (bytesRead !== length) throw new Error('the spool file is shorter than the data written to it');
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
