import { createSpoolFile } from './spool-file.js';
import { createSpoolWriter, type Block, type SpoolWriter } from './spool-writer.js';

/** Stores any number of concurrent byte sequences in bounded memory, until it is disposed of. */
export interface Spool extends AsyncDisposable {
  openWriter(): SpoolWriter;
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
    async [Symbol.asyncDispose]() {
      closed = true;
      await file.close();
    },
  };
}
