import type { Readable } from 'node:stream';
import type { Spool } from '@platen/lib-spool';

/** A text that grows line by line, outside of memory. */
export interface Lines {
  /** @throws Error if the disk is too slow for it, by the spool's own limit */
  add(line: string): void;
  open(): Readable;
}

export function openLines(spool: Spool): Lines {
  const writer = spool.openWriter();
  return {
    add(line) {
      if (!writer.write(Buffer.from(`${line}\n`))) throw new Error('the disk is too slow for the lists of the archive');
    },
    open: () => writer.open(),
  };
}
