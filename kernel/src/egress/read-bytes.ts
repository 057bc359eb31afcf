import type { Socket } from 'node:net';
import { RequestError } from './request-head.js';

/** A connection's bytes, read on demand only. */
export interface ByteReader {
  /** Latin-1 text up to the delimiter, which is consumed but not returned; undefined if the connection ends before. */
  takeUntil(delimiter: string, limit: number): Promise<string | undefined>;
  /** The given number of bytes, as they arrive. */
  take(length: number): AsyncGenerator<Buffer, void>;
  /** Ends the reading, and returns the excess bytes. */
  release(): Promise<Buffer>;
}

/** Its methods throw a `RequestError` for data that is too long or ends early, and pass on the connection's errors. */
export function createByteReader(socket: Socket): ByteReader {
  const chunks: AsyncIterator<Buffer, undefined> = socket.iterator({ destroyOnReturn: false });
  let pending: Buffer = Buffer.alloc(0);

  const fill = async (): Promise<boolean> => {
    const { value } = await chunks.next();
    if (value === undefined) return false;
    pending = pending.length === 0 ? value : Buffer.concat([pending, value]);
    return true;
  };
  const cut = (length: number): Buffer => {
    const part = pending.subarray(0, length);
    pending = pending.subarray(length);
    return part;
  };

  return {
    async takeUntil(delimiter, limit) {
      for (let searched = 0; ;) {
        const end = pending.indexOf(delimiter, searched);
        if (end > limit || (end === -1 && pending.length > limit)) throw new RequestError('too long');
        if (end !== -1) return cut(end + delimiter.length).toString('latin1', 0, end);
        searched = Math.max(0, pending.length - delimiter.length);
        if (!(await fill())) return undefined;
      }
    },
    async *take(length) {
      for (let left = length; left > 0;) {
        if (pending.length === 0 && !(await fill())) throw new RequestError('the body ends early');
        const part = cut(Math.min(left, pending.length));
        left -= part.length;
        yield part;
      }
    },
    async release() {
      await chunks.return?.();
      return pending;
    },
  };
}
