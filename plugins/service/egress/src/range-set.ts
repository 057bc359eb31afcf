import { addressOf, wordsOf, type Address, type AddressRange, type Words } from './address.js';
import { createRangeTable, findRange, type RangeTable } from './range-table.js';

/** Ranges of addresses, searched for each connection. */
export interface RangeSet {
  /** Number of ranges after merging adjacent ones. */
  readonly size: number;
  /** The merged range that contains the address. */
  find(address: Address): AddressRange | undefined;
}

export type RangeTables = Readonly<Record<4 | 6, RangeTable>>;

export interface RangeCollector {
  add(range: AddressRange): void;
  addAddress(words: Words): void;
  build(): RangeTables;
}

export function collectRanges(): RangeCollector {
  const tables = { 4: createRangeTable(1), 6: createRangeTable(4) } as const;
  return {
    add({ family, first, last }) {
      tables[family].add(wordsOf(family, first), wordsOf(family, last));
    },
    addAddress(words) {
      tables[words.length === 1 ? 4 : 6].add(words, words);
    },
    build: () => ({ 4: tables[4].build(), 6: tables[6].build() }),
  };
}

export function createRangeSet(ranges: readonly AddressRange[]): RangeSet {
  const collector = collectRanges();
  for (const range of ranges) collector.add(range);
  return openRangeSet(collector.build());
}

/** Binary search: about a microsecond in a list of 100,000 ranges. */
export function openRangeSet(tables: RangeTables): RangeSet {
  return {
    size: sizeOf(tables[4]) + sizeOf(tables[6]),
    find({ family, value }) {
      const table = tables[family];
      const found = findRange(table, wordsOf(family, value));
      return found === undefined ? undefined : rangeAt(table, found);
    },
  };
}

function sizeOf({ firsts, words }: RangeTable): number {
  return firsts.length / words;
}

function rangeAt({ words, firsts, lasts }: RangeTable, place: number): AddressRange {
  const [from, to] = [place * words, (place + 1) * words];
  const first = addressOf([...firsts.subarray(from, to)]);
  return { family: first.family, first: first.value, last: addressOf([...lasts.subarray(from, to)]).value };
}
