import type { FileHandle } from 'node:fs/promises';

/** Bytes that can be read at any place. */
export interface ByteSource {
  readonly bytes: number;
  /** Resolves with fewer bytes at the end. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** A part of a file. */
export function openPart(handle: FileHandle, start: number, bytes: number): ByteSource {
  return {
    bytes,
    async read(offset, length) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, bytes - offset)));
      let at = 0;
      while (at < buffer.length) {
        const { bytesRead } = await handle.read(buffer, at, buffer.length - at, start + offset + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return buffer.subarray(0, at);
    },
  };
}

const AHEAD_BYTES = 1024 * 1024;

/** The same for one reader that goes from the beginning to the end: small reads next to each other are one. */
export function readAhead(source: ByteSource): ByteSource {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  return {
    bytes: source.bytes,
    async read(offset, length) {
      const isInside = offset >= start && Math.min(offset + length, source.bytes) <= start + window.length;
      if (!isInside) [window, start] = [await source.read(offset, Math.max(length, AHEAD_BYTES)), offset];
      return window.subarray(offset - start, offset - start + length);
    },
  };
}

export const CHUNK_BYTES = 64 * 1024;

/** The bytes from a place on, in chunks. */
export async function* readFrom(source: ByteSource, offset: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let at = offset; at < source.bytes;) {
    signal.throwIfAborted();
    const chunk = await source.read(at, CHUNK_BYTES);
    if (chunk.length === 0) return;
    at += chunk.length;
    yield chunk;
  }
}
