import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isDiskFull } from '@platen/kernel';
import type { ArchivedBody } from '@platen/lib-warc';
import type { Spool, SpoolWriter } from '@platen/lib-spool';

export interface Storing {
  readonly coding: string | undefined;
  readonly spool: Spool;
  /** Maximum number of stored bytes; undefined: no limit. */
  readonly limit: number | undefined;
  /** Ends with the body. */
  readonly time: Disposable;
}

const FLUSH_BYTES = 8 * 1024 * 1024;

class DiskError extends Error {}

/** A body that is stored as it arrives. */
export class StoredBody implements Disposable {
  readonly #source: Readable;
  readonly #storing: Storing;
  readonly #writer: SpoolWriter;
  readonly #pieces: AsyncGenerator<Buffer>;
  #isOpen = false;
  #isRead = false;
  #end: Pick<ArchivedBody, 'state' | 'sha256'> = { state: 'truncated', sha256: undefined };

  constructor(source: Readable, storing: Storing) {
    this.#source = source;
    this.#storing = storing;
    this.#writer = storing.spool.openWriter();
    this.#pieces = this.#read();
    // An error between two reads is reported by the next one.
    source.on('error', () => undefined);
  }

  /** To be read once while it arrives, or any number of times after `finish`. Ends at the limit, or where the connection breaks. */
  open(): AsyncIterable<Buffer> {
    this.#isOpen = true;
    return this.#isRead ? this.#writer.open() : this.#pieces;
  }

  /** Reads it to its end, unless `open` was called: then only the part that was read is stored. */
  async finish(): Promise<void> {
    if (this.#isOpen) await this.#pieces.return(undefined);
    else while ((await this.#pieces.next()).done !== true);
  }

  /** Final after `finish`. */
  get stored(): ArchivedBody {
    return { ...this.#end, bytes: this.#writer.bytes, open: () => this.#writer.open() };
  }

  [Symbol.dispose](): void {
    this.#source.destroy();
    this.#storing.time[Symbol.dispose]();
  }

  async *#read(): AsyncGenerator<Buffer> {
    const { spool, coding, limit = Infinity } = this.#storing;
    const hash = createHash('sha256');
    let unflushed = 0;
    try {
      for await (const chunk of decoded(this.#source, coding)) {
        const kept = chunk.subarray(0, limit - this.#writer.bytes);
        if (!this.#writer.write(kept)) throw new DiskError('the spool accepts no more');
        hash.update(kept);
        unflushed += kept.length;
        // The network may be faster than the disk.
        if (unflushed > FLUSH_BYTES) {
          await spool.flushed();
          unflushed = 0;
        }
        yield kept;
        if (kept.length < chunk.length) return;
      }
      this.#end = { state: 'complete', sha256: hash.digest('hex') };
    } catch (error) {
      if (error instanceof DiskError || isDiskFull(error)) throw error;
      this.#end = { state: 'partial', sha256: undefined };
    } finally {
      this[Symbol.dispose]();
      this.#writer.end();
      this.#isRead = true;
    }
  }
}

/** None was offered; some servers send one all the same. */
function decoded(body: Readable, coding = ''): AsyncIterable<Buffer> {
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.entries(decoders).find(([name]) => name === coding.trim().toLowerCase())?.[1];
  if (create === undefined) return body;
  const decoder = create();
  body.on('error', (error) => decoder.destroy(error));
  return body.pipe(decoder);
}
