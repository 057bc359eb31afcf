import type { Address, AddressRange } from './address.js';

/** Ranges of addresses, searched for each connection. */
export interface RangeSet {
  /** Number of ranges after merging adjacent ones. */
  readonly size: number;
  /** The merged range that contains the address. */
  find(address: Address): AddressRange | undefined;
}

/** Sorted ranges that neither overlap nor touch, as numbers of `words` 64-bit words: `first << bits | last`. Threads can share them. */
export type RangeTables = Readonly<Record<4 | 6, BigUint64Array>>;

export interface RangeCollector {
  /** Throws beyond the maximum number of ranges. */
  add(range: AddressRange): void;
  build(): RangeTables;
}

interface Layout {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly words: number;
}

const LAYOUTS: Readonly<Record<4 | 6, Layout>> = {
  4: { family: 4, bits: 32n, words: 1 },
  6: { family: 6, bits: 128n, words: 4 },
};

/** Maximum bytes of a table: 4,194,304 ranges of IPv4, 1,048,576 of IPv6. */
const MAX_BYTES = 32 * 2 ** 20;
/** Initial number of words. */
const START = 2 ** 10;

export function createRangeSet(ranges: readonly AddressRange[]): RangeSet {
  const collector = collectRanges();
  for (const range of ranges) collector.add(range);
  return openRangeSet(collector.build());
}

/** Binary search: about a microsecond in a list of 100,000 ranges. */
export function openRangeSet(tables: RangeTables): RangeSet {
  return {
    size: tables[4].length / LAYOUTS[4].words + tables[6].length / LAYOUTS[6].words,
    find({ family, value }) {
      const [table, layout] = [tables[family], LAYOUTS[family]];
      let [low, high] = [0, table.length / layout.words];
      // The first range that starts after the address.
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (readRange(table, middle, layout) >> layout.bits > value) high = middle;
        else low = middle + 1;
      }
      const range = low === 0 ? undefined : unpack(readRange(table, low - 1, layout), layout);
      return range !== undefined && range.last >= value ? range : undefined;
    },
  };
}

export function collectRanges(): RangeCollector {
  const tables = { 4: createTable(LAYOUTS[4]), 6: createTable(LAYOUTS[6]) };
  return {
    add(range) {
      tables[range.family].add(range);
    },
    build: () => ({ 4: tables[4].build(), 6: tables[6].build() }),
  };
}

function createTable(layout: Layout) {
  const { family, bits, words } = layout;
  const most = MAX_BYTES / 8 / words;
  let table = new BigUint64Array(START);
  let count = 0;
  const merge = (): void => {
    count = mergeRanges(table, count, layout);
    if (count > most) throw new Error(`it comes to more than ${String(most)} ranges of IPv${String(family)}`);
  };
  return {
    add({ first, last }: AddressRange): void {
      // Duplicates take no more than twice the maximum.
      if (count === 2 * most) merge();
      if (count * words === table.length) {
        const wider = new BigUint64Array(table.length * 2);
        wider.set(table);
        table = wider;
      }
      writeRange(table, { at: count, packed: (first << bits) | last }, layout);
      count += 1;
    },
    build(): BigUint64Array {
      merge();
      const shared = new BigUint64Array(new SharedArrayBuffer(count * words * 8));
      shared.set(table.subarray(0, count * words));
      return shared;
    },
  };
}

/** Sorts the ranges, merges those that overlap or touch, and returns their number. */
function mergeRanges(table: BigUint64Array, count: number, layout: Layout): number {
  let merged = 0;
  let open: AddressRange | undefined;
  for (const packed of sortRanges(table, count, layout)) {
    const range = unpack(packed, layout);
    if (open !== undefined && range.first <= open.last + 1n) {
      if (range.last <= open.last) continue;
      open = { ...open, last: range.last };
    } else {
      open = range;
      merged += 1;
    }
    writeRange(table, { at: merged - 1, packed: (open.first << layout.bits) | open.last }, layout);
  }
  return merged;
}

function sortRanges(table: BigUint64Array, count: number, layout: Layout): Iterable<bigint> {
  // Sorts in place, without a callback. What merging overwrites has already been read.
  if (layout.words === 1) return table.subarray(0, count).sort();
  return Array.from({ length: count }, (_, at) => readRange(table, at, layout)).sort((a, b) => (a < b ? -1 : Number(a > b)));
}

function unpack(packed: bigint, { family, bits }: Layout): AddressRange {
  return { family, first: packed >> bits, last: BigInt.asUintN(Number(bits), packed) };
}

function readRange(table: BigUint64Array, at: number, { words }: Layout): bigint {
  let packed = 0n;
  for (let word = at * words; word < (at + 1) * words; word += 1) packed = (packed << 64n) | (table[word] ?? 0n);
  return packed;
}

function writeRange(table: BigUint64Array, { at, packed }: { readonly at: number; readonly packed: bigint }, { words }: Layout): void {
  let rest = packed;
  for (let word = (at + 1) * words - 1; word >= at * words; word -= 1) {
    // The array takes the lowest 64 bits.
    table[word] = rest;
    rest >>= 64n;
  }
}
