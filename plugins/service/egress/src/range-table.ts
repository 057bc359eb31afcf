import type { Words } from './address.js';

/** Sorted, non-adjacent ranges of one address family, in memory that threads can share. */
export interface RangeTable {
  /** Words per address: 1 or 4. */
  readonly words: number;
  /** The words of the first address of each range, consecutively. */
  readonly firsts: Uint32Array;
  readonly lasts: Uint32Array;
}

export interface RangeTableBuilder {
  /** Throws beyond the maximum number of ranges. */
  add(first: Words, last: Words): void;
  build(): RangeTable;
}

/** Maximum bytes of a table: 4,194,304 ranges of IPv4, 1,048,576 of IPv6. */
const MOST_BYTES = 32 * 2 ** 20;
/** Initial capacity in ranges: sorting so few costs as much as sorting one. */
const START = 2 ** 14;

/** Collects ranges and merges adjacent ones when the table is full, so that duplicates take no memory. */
export function createRangeTable(words: 1 | 4): RangeTableBuilder {
  const most = MOST_BYTES / (8 * words);
  let capacity = START;
  let firsts: Uint32Array = new Uint32Array(capacity * words);
  let lasts: Uint32Array = new Uint32Array(capacity * words);
  let count = 0;

  const join = (): void => {
    const joined = joinRanges({ words, firsts, lasts }, count);
    ({ firsts, lasts } = joined);
    count = joined.count;
    if (count > most) throw new Error(`it comes to more than ${String(most)} ranges of IPv${words === 1 ? '4' : '6'}`);
  };

  const grow = (): void => {
    join();
    if (count * 2 <= capacity) return;
    capacity *= 2;
    firsts = widen(firsts);
    lasts = widen(lasts);
  };

  return {
    add(first, last) {
      if (count === capacity) grow();
      for (let word = 0; word < words; word += 1) {
        firsts[count * words + word] = first[word] ?? 0;
        lasts[count * words + word] = last[word] ?? 0;
      }
      count += 1;
    },
    build() {
      join();
      return { words, firsts: share(firsts.subarray(0, count * words)), lasts: share(lasts.subarray(0, count * words)) };
    },
  };
}

/** Sorts and merges adjacent ranges in place; the columns keep their length. */
function joinRanges(
  { words, firsts, lasts }: RangeTable,
  count: number,
): Pick<RangeTable, 'firsts' | 'lasts'> & { readonly count: number } {
  const joined = { firsts: new Uint32Array(firsts.length), lasts: new Uint32Array(firsts.length) };
  let size = 0;
  for (const place of sortOrder(firsts, { words, count })) {
    const at = place * words;
    const before = (size - 1) * words;
    if (size > 0 && touches({ column: joined.lasts, at: before }, { column: firsts, at }, words)) {
      if (compare({ column: lasts, at }, { column: joined.lasts, at: before }, words) > 0)
        copyWords(lasts, at, { to: joined.lasts, place: before, words });
    } else {
      copyWords(firsts, at, { to: joined.firsts, place: size * words, words });
      copyWords(lasts, at, { to: joined.lasts, place: size * words, words });
      size += 1;
    }
  }
  return { ...joined, count: size };
}

/** Index of the range that contains the address, or undefined. */
export function findRange({ words, firsts, lasts }: RangeTable, address: Words): number | undefined {
  const wanted = { column: address, at: 0 };
  let [low, high] = [0, firsts.length / words];
  // The first range that starts after the address.
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare({ column: firsts, at: middle * words }, wanted, words) > 0) high = middle;
    else low = middle + 1;
  }
  return low > 0 && compare({ column: lasts, at: (low - 1) * words }, wanted, words) >= 0 ? low - 1 : undefined;
}

function share(column: Uint32Array): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(column.byteLength));
  shared.set(column);
  return shared;
}

function widen(column: Uint32Array): Uint32Array {
  const wider = new Uint32Array(column.length * 2);
  wider.set(column);
  return wider;
}

/** An address in a column. */
interface Placed {
  readonly column: ArrayLike<number>;
  readonly at: number;
}

function compare(a: Placed, b: Placed, words: number): number {
  for (let word = 0; word < words; word += 1) {
    const difference = (a.column[a.at + word] ?? 0) - (b.column[b.at + word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function copyWords(
  from: Uint32Array,
  at: number,
  { to, place, words }: { readonly to: Uint32Array; readonly place: number; readonly words: number },
): void {
  for (let word = 0; word < words; word += 1) to[place + word] = from[at + word] ?? 0;
}

/** Whether a range with this first address starts at or before the address after `last`. */
function touches(last: Placed, first: Placed, words: number): boolean {
  if (compare(first, last, words) <= 0) return true;
  // Compares with `last + 1`: low words of all ones become zeros, with a carry.
  let carry = 1;
  for (let word = words - 1; word >= 0; word -= 1) {
    const sum = (last.column[last.at + word] ?? 0) + carry;
    carry = sum > 0xffff_ffff ? 1 : 0;
    if (sum >>> 0 !== first.column[first.at + word]) return false;
  }
  return carry === 0;
}

/** Indexes of the ranges, sorted by first address. A radix sort: equally fast for any order, without comparison callbacks. */
function sortOrder(firsts: Uint32Array, { words, count }: { readonly words: number; readonly count: number }): Uint32Array {
  let order = Uint32Array.from({ length: count }, (_, at) => at);
  let next = new Uint32Array(count);
  for (let word = words - 1; word >= 0; word -= 1) {
    for (const shift of [0, 16]) {
      const digit = (at: number) => ((firsts[at * words + word] ?? 0) >>> shift) & 0xffff;
      const starts = new Uint32Array(0x1_0001);
      for (let at = 0; at < count; at += 1) starts[digit(at) + 1] = (starts[digit(at) + 1] ?? 0) + 1;
      // All values are equal: skip this pass.
      if (starts[digit(0) + 1] === count) continue;
      for (let at = 1; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
      for (const at of order) {
        const place = starts[digit(at)] ?? 0;
        starts[digit(at)] = place + 1;
        next[place] = at;
      }
      [order, next] = [next, order];
    }
  }
  return order;
}
