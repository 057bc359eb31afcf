import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type EntryRecord, readAt } from './entry-file.js';

const BLOCK_BYTES = 256 * 1024;

/**
 * Reads a body from its file. The last block is sent after the whole body is verified: a corrupt body ends in an aborted
 * connection, never in a complete response. Closes the handle.
 */
export function openVerified(handle: FileHandle, { bytes, sha256 }: EntryRecord, onDamaged: () => Promise<void>): Readable {
  const hash = createHash('sha256');
  let position = 0;
  const next = async (): Promise<Buffer | null> => {
    if (position === bytes) return null;
    const block = await readAt(handle, position, Math.min(BLOCK_BYTES, bytes - position));
    hash.update(block);
    position += block.length;
    const isWhole = block.length > 0 && (position < bytes || hash.digest('hex') === sha256);
    if (isWhole) return block;
    await onDamaged();
    throw new Error('the cache entry is corrupt');
  };
  return new Readable({
    highWaterMark: BLOCK_BYTES,
    read() {
      next().then(
        (block) => this.push(block),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      handle.close().then(
        () => {
          done(error);
        },
        (closing: unknown) => {
          done(error ?? (closing instanceof Error ? closing : null));
        },
      );
    },
  });
}
