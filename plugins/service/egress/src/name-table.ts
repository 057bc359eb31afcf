/** Sorted host names, as bytes in memory that threads can share. */
export interface NameTable {
  readonly bytes: Uint8Array;
  /** The offset of each name, and the end of the last one. */
  readonly starts: Uint32Array;
}

export interface NameCollector {
  /** Adds an ASCII name. Throws beyond the maximum number of names. */
  add(name: string): void;
  build(): NameTable;
}

const MOST_NAMES = 2 ** 21;

export function collectNames(): NameCollector {
  const names = new Set<string>();
  return {
    add(name) {
      // Copied: a substring of a line would keep the whole list in memory.
      names.add(Buffer.from(name, 'latin1').toString('latin1'));
      if (names.size > MOST_NAMES) throw new Error(`it has more than ${String(MOST_NAMES)} names`);
    },
    build() {
      const sorted = [...names].sort();
      const starts = new Uint32Array(new SharedArrayBuffer((sorted.length + 1) * 4));
      for (const [at, name] of sorted.entries()) starts[at + 1] = (starts[at] ?? 0) + name.length;
      const bytes = Buffer.from(new SharedArrayBuffer(starts.at(-1) ?? 0));
      for (const [at, name] of sorted.entries()) bytes.write(name, starts[at] ?? 0, 'latin1');
      return { bytes, starts };
    },
  };
}

export function countNames({ starts }: NameTable): number {
  return starts.length - 1;
}

/** Binary search. */
export function hasName({ bytes, starts }: NameTable, name: string): boolean {
  const wanted = Buffer.from(name);
  const table = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = table.compare(wanted, 0, wanted.length, starts[middle], starts[middle + 1]);
    if (order === 0) return true;
    if (order > 0) high = middle;
    else low = middle + 1;
  }
  return false;
}
