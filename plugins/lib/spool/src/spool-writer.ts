import { Readable } from 'node:stream';

/** One sequence of bytes among those of a spool. */
export interface SpoolWriter {
  /** Bytes taken so far. */
  readonly bytes: number;
  /** False where they were not taken: the disk does not keep up, or the spool is closed. Later ones would leave a gap. */
  write(bytes: Buffer): boolean;
  /** Nothing more comes: frees what was held back to make larger blocks. */
  end(): void;
  /** What has been taken so far, as a stream of its own. It fails where the disk has. */
  open(): Readable;
}

/** Where a block of bytes lies. */
export interface Block {
  /** Undefined once it is on disk. */
  readonly held: Buffer | undefined;
  read(): Promise<Buffer>;
}

/** Blocks of this size are read and written at once. */
const BLOCK_BYTES = 64 * 1024;

/** `keep` gives undefined where it takes no more. */
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
      // A slice of a large message would keep all of it.
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
