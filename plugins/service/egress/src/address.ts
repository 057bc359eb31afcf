/** An IP address as a number; IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2) are the IPv4 addresses that they map. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** All addresses from first to last, inclusive. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** 32-bit words, most significant first: one for IPv4, four for IPv6. */
export type Words = readonly number[];

const MAPPED = 0xffffn << 32n;
const V4_MASK = 0xffff_ffffn;

/** Parses dotted quads and every form of IPv6, ignoring a zone. Undefined for anything else, including `127.1` and `010.0.0.1`. */
export function parseAddress(text: string): Address | undefined {
  const words = parseWords(text);
  return words && addressOf(words);
}

/** Like `parseAddress` without a bigint: for lists with millions of addresses. */
export function parseWords(text: string): Words | undefined {
  const words = parseUnmapped(text);
  return words?.[0] === 0 && words[1] === 0 && words[2] === 0xffff ? words.slice(3) : words;
}

export function wordsOf(family: 4 | 6, value: bigint): Words {
  return family === 4 ? [Number(value)] : [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & V4_MASK));
}

export function addressOf(words: Words): Address {
  return { family: words.length === 1 ? 4 : 6, value: words.reduce((value, word) => (value << 32n) | BigInt(word), 0n) };
}

/** Parses an address, a block (`10.0.0.0/8`; bits after the prefix are ignored) or `first-last`. */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (prefix !== undefined) return blockOf(base, Number(prefix));
  const ends = text.split('-');
  const first = parseAddress(ends[0] ?? '');
  const last = ends.length === 1 ? first : parseAddress(ends[1] ?? '');
  if (ends.length > 2 || first === undefined || last?.family !== first.family || last.value < first.value) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

/** The usual notation; ranges as `first-last`. */
export function formatRange({ family, first, last }: AddressRange): string {
  return first === last ? format(family, first) : `${format(family, first)}-${format(family, last)}`;
}

function blockOf(base: string, prefix: number): AddressRange | undefined {
  const words = parseUnmapped(base);
  if (words === undefined || prefix > words.length * 32) return undefined;
  const { family, value } = addressOf(words);
  const size = 1n << BigInt(words.length * 32 - prefix);
  const first = value - (value % size);
  // A block within the mapped addresses is an IPv4 block; a wider block is not.
  if (family === 6 && prefix >= 96 && first >> 32n === MAPPED >> 32n) {
    return { family: 4, first: first & V4_MASK, last: (first & V4_MASK) + size - 1n };
  }
  return { family, first, last: first + size - 1n };
}

function parseUnmapped(text: string): Words | undefined {
  if (!text.includes(':')) {
    const quad = parseQuad(text);
    return quad === undefined ? undefined : [quad];
  }
  const [bare = ''] = text.split('%', 1);
  const groups = groupsOf(bare);
  return groups && [wordAt(groups, 0), wordAt(groups, 2), wordAt(groups, 4), wordAt(groups, 6)];
}

function wordAt(groups: readonly number[], at: number): number {
  return (groups[at] ?? 0) * 0x1_0000 + (groups[at + 1] ?? 0);
}

const [ZERO, DOT] = [48, 46];

/** Four bytes without leading zeros, which some programs read as octal. */
function parseQuad(text: string): number | undefined {
  if (text.length < 7 || text.length > 15) return undefined;
  let [value, byte, digits, dots] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0) return undefined;
      value = value * 256 + byte;
      [byte, digits] = [0, 0];
      dots += 1;
    } else {
      if (code < ZERO || code > ZERO + 9 || (digits > 0 && byte === 0)) return undefined;
      byte = byte * 10 + code - ZERO;
      digits += 1;
      if (byte > 255) return undefined;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + byte : undefined;
}

const ZEROS = [0, 0, 0, 0, 0, 0, 0, 0] as const;

/** The eight groups of an IPv6 address (RFC 4291, 2.2). */
function groupsOf(text: string): readonly number[] | undefined {
  const gap = text.indexOf('::');
  if (gap < 0) {
    const all = groupsIn(text);
    return all?.length === 8 ? all : undefined;
  }
  const head = gap === 0 ? [] : groupsIn(text.slice(0, gap));
  const tail = gap + 2 === text.length ? [] : groupsIn(text.slice(gap + 2));
  // A dotted quad is valid only at the end of an address.
  if (head === undefined || tail === undefined || text.slice(0, gap).includes('.') || head.length + tail.length > 7) return undefined;
  return [...head, ...ZEROS.slice(head.length + tail.length), ...tail];
}

function groupsIn(text: string): readonly number[] | undefined {
  const groups: number[] = [];
  const parts = text.split(':');
  if (parts.length > 8) return undefined;
  for (const [at, part] of parts.entries()) {
    if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else {
      const quad = at === parts.length - 1 ? parseQuad(part) : undefined;
      if (quad === undefined) return undefined;
      groups.push(quad >>> 16, quad & 0xffff);
    }
  }
  return groups;
}

function format(family: 4 | 6, value: bigint): string {
  const parts = family === 4 ? [24n, 16n, 8n, 0n] : [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n];
  if (family === 4) return parts.map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = parts.map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}
