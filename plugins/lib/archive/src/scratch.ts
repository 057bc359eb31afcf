import type { FileHandle } from 'node:fs/promises';
import { openUnnamed } from '@platen/lib-spool';
import { type ByteSource, openPart } from './byte-source.js';
import { ArchiveDamaged } from './contract.js';

/** Private files of an open archive, which are deleted when it is closed, or when the process ends. */
export interface Scratch extends AsyncDisposable {
  /** Counts bytes that are made while the archive is opened. @throws ArchiveDamaged beyond the limit */
  count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Stores counted bytes. */
  store(chunks: AsyncIterable<Buffer>): Promise<ByteSource>;
}

export function openScratch(maxBytes: number, signal: AbortSignal): Scratch {
  const files: { readonly handle: FileHandle; remove(): Promise<void> }[] = [];
  let total = 0;
  async function* count(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      total += chunk.length;
      if (total > maxBytes) throw new ArchiveDamaged(`it has more than ${String(maxBytes)} bytes when it is decompressed`);
      yield chunk;
    }
  }
  return {
    count,
    async store(chunks) {
      const file = await openUnnamed({ purpose: 'archive', reachable: false });
      files.push(file);
      let bytes = 0;
      for await (const chunk of count(chunks)) {
        await file.handle.appendFile(chunk);
        bytes += chunk.length;
      }
      return openPart(file.handle, 0, bytes);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        files.splice(0).map(async ({ handle, remove }) => {
          await handle.close();
          await remove();
        }),
      );
    },
  };
}
