import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { readAt, writeAt, type BodyHandle, type EntryRecord } from './entry-file.js';

const BLOCK_BYTES = 256 * 1024;
/** How far the slowest reader may be behind once nothing is written any more. */
const RELAY_BYTES = 4 * 1024 ** 2;

interface Reader {
  position: number;
  hasLeft: boolean;
}

export interface AppendOnlyBodyOptions {
  /** Where the bytes go; undefined where no file could be had. */
  readonly handle: BodyHandle | undefined;
  /** The most that is written. */
  readonly maxBytes: number;
  /** Told once, when bytes can no longer be written: they are passed on to who reads already, and nobody can begin anew. */
  onSpilled(error: unknown): void;
}

/**
 * A body that is written to a file as it comes, while any number of readers follow at their own speed: the slowest one keeps
 * nobody waiting, and little is held in memory. Where the file takes no more (the disk is full), readers get the rest by memory, bounded,
 * and so at the speed of the slowest.
 */
export class AppendOnlyBody {
  readonly #options: AppendOnlyBodyOptions;
  readonly #readers = new Set<Reader>();
  #written = 0;
  /** What comes after the written bytes, where the file takes no more. */
  #tail: Buffer[] = [];
  #tailStart = 0;
  #tailBytes = 0;
  #hasSpilled = false;
  #hasEnded = false;
  #isClosing = false;
  #failure: Error | undefined;
  #whole: Pick<EntryRecord, 'bytes' | 'sha256'> | undefined;
  readonly #change = createChange();
  #hadReader = false;

  constructor(options: AppendOnlyBodyOptions) {
    this.#options = options;
  }

  /** Size and digest, once the body is whole and all of it is written. */
  get whole(): Pick<EntryRecord, 'bytes' | 'sha256'> | undefined {
    return this.#whole;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Takes the source in to its end, or until nobody wants it any more; rejects with what it fails with, and so do the readers. */
  async fill(source: Readable, unwanted: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    const abort = () => {
      source.destroy(unwanted.reason instanceof Error ? unwanted.reason : undefined);
      this.#change.tell();
    };
    if (unwanted.aborted) abort();
    unwanted.addEventListener('abort', abort, { once: true });
    try {
      for await (const chunk of source as AsyncIterable<Buffer | string>) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        hash.update(bytes);
        if (await this.#write(bytes)) this.#change.tell();
        else await this.#relay(bytes, unwanted);
      }
      if (!this.#hasSpilled) this.#whole = { bytes: this.#written, sha256: hash.digest('hex') };
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      unwanted.removeEventListener('abort', abort);
      this.#hasEnded = true;
      this.#change.tell();
    }
  }

  /** The body from its beginning. `left` destroys it. */
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
        this.#change.tell();
        void this.#closeWhenUnread();
        done(error);
      },
    });
    const leave = () => {
      stream.destroy();
    };
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
    return stream;
  }

  /** Closes the file once nobody reads it any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#closeWhenUnread();
  }

  async #closeWhenUnread(): Promise<void> {
    if (this.#isClosing && this.#readers.size === 0) await this.#options.handle?.close().catch(() => undefined);
  }

  async *#follow(reader: Reader): AsyncGenerator<Buffer> {
    while (!reader.hasLeft) {
      // Taken before looking, so that no change is missed.
      const changed = this.#change.next();
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

  /** Undefined: not there yet; null: the end. */
  async #at(position: number): Promise<Buffer | null | undefined> {
    const { handle } = this.#options;
    if (position < this.#written && handle !== undefined) {
      return await readAt(handle, position, Math.min(BLOCK_BYTES, this.#written - position));
    }
    if (this.#hasSpilled && position < this.#tailStart) throw new Error('a body that is kept no longer was read too late');
    let start = this.#tailStart;
    for (const bytes of this.#tail) {
      if (position < start + bytes.length) return bytes.subarray(position - start);
      start += bytes.length;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#hasEnded ? null : undefined;
  }

  /** False where the bytes were not written: nothing is, from then on. */
  async #write(bytes: Buffer): Promise<boolean> {
    const { handle, maxBytes } = this.#options;
    if (this.#hasSpilled) return false;
    try {
      if (handle === undefined) throw new Error('there is no file');
      if (this.#written + bytes.length > maxBytes) throw new Error(`it is larger than ${String(maxBytes)} bytes`);
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
    this.#change.tell();
    const isRead = () => this.#readers.size > 0 || !this.#hadReader;
    while (this.#tailBytes > RELAY_BYTES && isRead() && !unwanted.aborted) await this.#change.next();
  }

  /** Lets go of what every reader has had. */
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
    this.#change.tell();
  }
}

interface Change {
  /** Resolves with the next change. */
  next(): Promise<void>;
  tell(): void;
}

function createChange(): Change {
  let waiting: (() => void)[] = [];
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    tell() {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
