import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { callOnAbort, Changes } from '@platen/kernel';
import type { BodyHandle, ResultRecord } from '@platen/server';
import { readAt, writeAt } from './entry-file.js';

const BLOCK_BYTES = 256 * 1024;
/** Bytes that the slowest reader may be behind once writing has stopped. */
const RELAY_BYTES = 4 * 1024 ** 2;

interface Reader {
  position: number;
  hasLeft: boolean;
}

export interface AppendOnlyBodyOptions {
  /** The file to write to; undefined if none could be created. */
  readonly handle: BodyHandle | undefined;
  /** Maximum number of bytes written. */
  readonly maxBytes: number;
  /** Called once when writing fails: current readers get the rest from memory, and new readers are not possible. */
  onSpilled(error: unknown): void;
}

/**
 * A body that is written to a file as it arrives, while any number of readers follow at their own speed, with little memory.
 * If writing fails (disk full), readers get the rest from a bounded buffer, at the speed of the slowest reader.
 */
export class AppendOnlyBody {
  readonly #options: AppendOnlyBodyOptions;
  readonly #readers = new Set<Reader>();
  #written = 0;
  /** The bytes after the written ones, once writing has failed. */
  #tail: Buffer[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #hasSpilled = false;
  #hasEnded = false;
  #isClosing = false;
  #failure: Error | undefined;
  #whole: Pick<ResultRecord, 'bytes' | 'sha256'> | undefined;
  readonly #changes = new Changes();
  #hadReader = false;

  constructor(options: AppendOnlyBodyOptions) {
    this.#options = options;
  }

  /** Size and digest, once the whole body is written. */
  get whole(): Pick<ResultRecord, 'bytes' | 'sha256'> | undefined {
    return this.#whole;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Reads the source to its end or until `unwanted` aborts. Rejects with the error of the source, and so do the readers. */
  async fill(source: Readable, unwanted: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    const abort = () => {
      source.destroy(unwanted.reason instanceof Error ? unwanted.reason : undefined);
      this.#changes.notify();
    };
    const unfollow = callOnAbort(unwanted, abort);
    try {
      for await (const chunk of source as AsyncIterable<Buffer | string>) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(bytes);
        if (await this.#write(bytes)) this.#changes.notify();
        else await this.#relay(bytes, unwanted);
      }
      if (!this.#hasSpilled) this.#whole = { bytes: this.#written, sha256: hash.digest('hex') };
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      unfollow();
      this.#hasEnded = true;
      this.#changes.notify();
    }
  }

  /** The body from its start. `left` destroys the stream. */
  read(left: AbortSignal): Readable {
    const reader: Reader = { position: 0, hasLeft: false };
    this.#readers.add(reader);
    this.#hadReader = true;
    const bytes = this.#follow(reader);
    const stream = new Readable({
      highWaterMark: BLOCK_BYTES,
      read() {
        bytes.next().then(
          ({ value, done }) => {
            if (!stream.destroyed) stream.push(done === true ? null : value);
          },
          (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
      destroy: (error, done) => {
        left.removeEventListener('abort', leave);
        reader.hasLeft = true;
        this.#readers.delete(reader);
        this.#trim();
        this.#changes.notify();
        void this.#closeWhenUnread();
        done(error);
      },
    });
    const leave = () => {
      stream.destroy();
    };
    callOnAbort(left, leave);
    return stream;
  }

  /** Closes the file once all readers have finished. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#closeWhenUnread();
  }

  async #closeWhenUnread(): Promise<void> {
    if (this.#isClosing && this.#readers.size === 0) await this.#options.handle?.close().catch(() => undefined);
  }

  async *#follow(reader: Reader): AsyncGenerator<Buffer> {
    while (!reader.hasLeft) {
      // Subscribed before the check, so that no change is missed.
      const changed = this.#changes.next();
      const bytes = await this.#at(reader.position);
      if (bytes === null) return;
      if (bytes === undefined) {
        await changed;
        continue;
      }
      yield bytes;
      reader.position += bytes.length;
      this.#trim();
    }
  }

  /** Undefined: not available yet; null: the end. */
  async #at(position: number): Promise<Buffer | null | undefined> {
    const { handle } = this.#options;
    if (position < this.#written && handle !== undefined) {
      return await readAt(handle, position, Math.min(BLOCK_BYTES, this.#written - position));
    }
    if (this.#hasSpilled && position < this.#tailStart) throw new Error('the start of the body is no longer buffered');
    let start = this.#tailStart;
    for (const bytes of this.#tail) {
      if (position < start + bytes.length) return bytes.subarray(position - start);
      start += bytes.length;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#hasEnded ? null : undefined;
  }

  /** False if the bytes were not written; nothing is written from then on. */
  async #write(bytes: Buffer): Promise<boolean> {
    const { handle, maxBytes } = this.#options;
    if (this.#hasSpilled) return false;
    try {
      if (handle === undefined) throw new Error('no file is open');
      if (this.#written + bytes.length > maxBytes) throw new Error(`the body is larger than ${String(maxBytes)} bytes`);
      await writeAt(handle, bytes, this.#written);
      this.#written += bytes.length;
      return true;
    } catch (error) {
      this.#hasSpilled = true;
      this.#tailStart = this.#written;
      this.#options.onSpilled(error);
      return false;
    }
  }

  async #relay(bytes: Buffer, unwanted: AbortSignal): Promise<void> {
    this.#tail.push(bytes);
    this.#tailBytes += bytes.length;
    this.#changes.notify();
    const isRead = () => this.#readers.size > 0 || !this.#hadReader;
    while (this.#tailBytes > RELAY_BYTES && isRead() && !unwanted.aborted) await this.#changes.next();
  }

  /** Frees the buffered bytes that every reader has read. */
  #trim(): void {
    if (this.#tail.length === 0) return;
    const least = Math.min(...[...this.#readers].map(({ position }) => position));
    let [first] = this.#tail;
    while (first !== undefined && this.#tailStart + first.length <= least) {
      this.#tail.shift();
      this.#tailStart += first.length;
      this.#tailBytes -= first.length;
      [first] = this.#tail;
    }
    this.#changes.notify();
  }
}
