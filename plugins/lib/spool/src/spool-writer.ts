import { Readable } from 'node:stream';

/** One of a spool's byte sequences. */
export interface SpoolWriter {
  /** Bytes accepted so far. */
  readonly bytes: number;
  /** False if the bytes were not accepted, because the disk is too slow or the spool is closed. Later writes would leave a gap. */
  write(bytes: Buffer): boolean;
  /** Ends the sequence: releases what was buffered to form larger blocks. */
  end(): void;
  /** All bytes accepted so far, as a separate stream. It fails if the disk has failed. */
  open(): Readable;
}

/** Location of a block of bytes. */
export interface Block {
  /** Undefined once it is on disk. */
  readonly held: Buffer | undefined;
  read(): Promise<Buffer>;
}

/** Blocks of this size are read and written in one operation. */
const BLOCK_BYTES = 64 * 1024;

/** `keep` returns undefined if it accepts no more bytes. */
export function createSpoolWriter(keep: (bytes: Buffer) => Block | undefined): SpoolWriter {
  const blocks: Block[] = [];
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let total = 0;
  const flush = (): boolean => {
    if (tailBytes === 0) return true;
    const block = keep(Buffer.concat(tail));
    if (!block) return false;
    blocks.push(block);
    tail = [];
    tailBytes = 0;
    return true;
  };
  async function* read(): AsyncGenerator<Buffer> {
    const rest = [...tail];
    for (const block of [...blocks]) yield block.held ?? (await block.read());
    yield* rest;
  }
  return {
    get bytes() {
      return total;
    },
    write(bytes) {
      if (tailBytes + bytes.length > BLOCK_BYTES && !flush()) return false;
      // A slice of a large message would retain all of its memory.
      tail.push(Buffer.from(bytes));
      tailBytes += bytes.length;
      total += bytes.length;
      return true;
    },
    end() {
      flush();
    },
    open: () => Readable.from(read(), { objectMode: false }),
  };
}
