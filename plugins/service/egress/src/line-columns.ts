import { type Address, type AddressRange, parseAddress, parseRange } from './address.js';

const BITS = { 4: 32, 6: 128 } as const;

/** From here on addresses are multicast or reserved, not networks with a mask. */
const RESERVED = 0xe0n;

/** A range with at least so many addresses that starts and ends like a block is a block, not two single addresses. */
const SURE_BLOCK = 256n;

/** The ranges in the columns of a line, and whether some columns could not be parsed. */
export interface Columns {
  readonly ranges: readonly AddressRange[];
  readonly isPartial: boolean;
}

/** A word of a line; positions are UTF-16 code units. */
interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Looks like an address, well-formed or not. */
export const LIKE_ADDRESS = /^["'[]*(?:(?:\d+\.){3}\d|[\da-f:]*(?:::|(?::[\da-f]+){6}))/i;
const WORD = /[=-]>|[\u2013\u2014-]+|[^\s,;|\u2013\u2014-]+/g;
const DASHES = /^[\u2013\u2014-]+$/;
/** A range in words: `192.0.2.1 to 192.0.2.9`. */
const TO = /^(?:to|thru|through|until|till|\.{2,3}|[=-]>|~)$/i;
/** `192.0.2.1:443`, `[2001:db8::1]:443`, `[192.0.2.1]`, `[2001:db8::]/32`: a list of addresses is about all ports. */
const DRESSED = /^(?:\[(?<bracketed>[^\]]+)\](?<prefix>\/\d{1,3})?|(?<dotted>(?:\d+\.){3}\d+)(?=:))(?::\d{1,5})?$/;

/**
 * The addresses, blocks and ranges at the start of a line, up to the first other column, or to a dash without an address after it.
 * Undefined if there are none, or if the line is ambiguous.
 */
export function parseColumns(text: string): Columns | undefined {
  const words = wordsIn(text);
  const ranges: AddressRange[] = [];
  /** The single addresses. */
  const alone: Address[] = [];
  let isPartial = false;
  let at = 0;
  for (let word = words[0]; word !== undefined && LIKE_ADDRESS.test(word.text); word = words[at]) {
    const { text: column, used } = joinPrefix(words, at);
    const [sign, next] = [words[at + used], words[at + used + 1]];
    at += used;
    if (sign !== undefined && (DASHES.test(sign.text) || (TO.test(sign.text) && LIKE_ADDRESS.test(next?.text ?? '')))) {
      const end = parseSpan(column, { sign, next, between: text.slice(words[at - 1]?.end, next?.start) });
      if (end === undefined) return ranges.length === 0 ? undefined : { ranges, isPartial: true };
      ranges.push(end.range);
      if (end.isComment) return { ranges, isPartial };
      at += 2;
      // 192.0.2.1-192.0.2.5-192.0.2.9
      if (words[at] !== undefined && DASHES.test(words[at]?.text ?? '') && LIKE_ADDRESS.test(words[at + 1]?.text ?? '')) return undefined;
      continue;
    }
    const range = column === undefined ? undefined : parseRange(column);
    if (range === undefined) isPartial = true;
    else {
      const address = parseAddress(column ?? '');
      if (address !== undefined) alone.push(address);
      ranges.push(range);
    }
  }
  const behind = text.slice(words[at]?.start ?? text.length);
  return toColumns({ ranges, alone, isPartial: isPartial || namesAddress(behind), third: words[at]?.text });
}

/** Whether any column is an address. */
function namesAddress(text: string): boolean {
  return /[.:]/.test(text) && wordsIn(text).some((word) => parseRange(stripDelimiters(word.text)) !== undefined);
}

function wordsIn(text: string): readonly Word[] {
  // The netmask of 10.9.0.0/255.255.0.0 is a column.
  return Array.from(text.replace(/\/(?=\d+\.)/g, ' ').matchAll(WORD), ({ 0: word, index }) => ({
    text: word,
    start: index,
    end: index + word.length,
  }));
}

interface Found extends Columns {
  readonly alone: readonly Address[];
  /** The next column. */
  readonly third: string | undefined;
}

function toColumns({ ranges, alone, isPartial, third }: Found): Columns | undefined {
  if (ranges.length === 0) return undefined;
  const [from, to] = alone;
  if (from === undefined || to === undefined || (ranges.length === 2 && isPartial)) return { ranges, isPartial };
  if (ranges.length === 2) {
    const joined = joinColumns(from, to, third);
    return joined && { ranges: joined, isPartial };
  }
  // Ambiguous: the mask could belong to either address.
  return alone.some(isNetmask) ? undefined : { ranges, isPartial };
}

/** An address and a separate prefix: `10.9.0.0 /16`, `10.0.0.0 / 8`. No text if the prefix is not valid for the address. */
function joinPrefix(words: readonly Word[], at: number): { readonly text: string | undefined; readonly used: number } {
  const [base = '', second = '', third = ''] = words.slice(at, at + 3).map(({ text }) => stripDelimiters(text));
  if (/^\/\d{1,3}$/.test(second)) return { text: `${base}${second}`, used: 2 };
  const isNumber = (text: string) => /^\d{1,3}$/.test(text);
  if (second === '/' && isNumber(third)) return { text: blockFrom(base, third), used: 3 };
  if (base.endsWith('/') && isNumber(second)) return { text: blockFrom(base.slice(0, -1), second), used: 2 };
  return { text: base, used: 1 };
}

function blockFrom(base: string, prefix: string): string | undefined {
  const block = `${base}/${prefix}`;
  return parseRange(block)?.first === parseAddress(base)?.value ? block : undefined;
}

interface Span {
  readonly sign: Word;
  readonly next: Word | undefined;
  /** The text between the first column and the next: the sign with its spaces. */
  readonly between: string;
}

interface SpanEnd {
  readonly range: AddressRange;
  /** The text after the dash is a comment. */
  readonly isComment: boolean;
}

/** A range: an address after a single dash. A malformed range must not be read as its first address only. */
function parseSpan(first: string | undefined, { sign, next, between }: Span): SpanEnd | undefined {
  if (first === undefined) return undefined;
  const last = stripDelimiters(next?.text ?? '');
  const isWord = !DASHES.test(sign.text);
  if (isWord || (between.trim().length === 1 && parseAddress(last) !== undefined)) {
    const range = parseRange(`${first}-${last}`);
    return range && { range, isComment: false };
  }
  const isTight = last !== '' && between === between.trim();
  const range = isTight || LIKE_ADDRESS.test(last) ? undefined : parseRange(first);
  return range && { range, isComment: true };
}

/** Without quotes, brackets and a port. */
export function stripDelimiters(column: string): string {
  const bare = unquote(column);
  const { bracketed, prefix = '', dotted } = DRESSED.exec(bare)?.groups ?? {};
  return bracketed === undefined ? (dotted ?? bare) : `${bracketed}${prefix}`;
}

function unquote(column: string): string {
  let [start, end] = [0, column.length];
  while (start < end && isQuote(column[start])) start += 1;
  while (start < end && isQuote(column[end - 1])) end -= 1;
  return column.slice(start, end);
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/**
 * Interprets two addresses in columns by the next column: first and last of a block (`45.148.10.0 45.148.10.255 24`), an address and
 * its netmask (`10.9.0.0 255.255.0.0`), or two addresses. Undefined if ambiguous.
 */
function joinColumns(from: Address, to: Address, third?: string): readonly AddressRange[] | undefined {
  const each = [from, to].map(toRange);
  if (to.family !== from.family) return each;
  const prefix = prefixOf(to);
  if (prefix === undefined || from.value === to.value) {
    if (isWildcard(to)) return undefined;
    return isBlock(from, to, third) ? [{ family: from.family, first: from.value, last: to.value }] : each;
  }
  // Ambiguous: in `64.0.0.0 192.0.0.0` the second can be a mask or an address.
  return prefix < 8 || topOf(from) === 0n || topOf(from) >= RESERVED ? undefined : [blockOf(from, to)];
}

function toRange({ family, value }: Address): AddressRange {
  return { family, first: value, last: value };
}

/** Whether it is an IPv4 netmask, such as `255.255.255.0`. */
function isNetmask(address: Address): boolean {
  return topOf(address) === 0xffn && prefixOf(address) !== undefined;
}

function isBlock({ family, value: first }: Address, { value: last }: Address, third?: string): boolean {
  const size = last - first + 1n;
  if (size < 2n || (size & (size - 1n)) !== 0n || first % size !== 0n) return false;
  return size >= SURE_BLOCK || third === String(BITS[family] - size.toString(2).length + 1);
}

/** The mask of an access list: `0.0.255.255`. */
function isWildcard({ family, value }: Address): boolean {
  return family === 4 && value > 0n && topOf({ family, value }) === 0n && (value & (value + 1n)) === 0n;
}

function blockOf({ family, value }: Address, { value: mask }: Address): AddressRange {
  const first = value & mask;
  return { family, first, last: first + onesOf(family) - mask };
}

/** The prefix length of a contiguous netmask. */
function prefixOf({ family, value }: Address): number | undefined {
  const zeros = onesOf(family) ^ value;
  if ((zeros & (zeros + 1n)) !== 0n) return undefined;
  return BITS[family] - (zeros === 0n ? 0 : zeros.toString(2).length);
}

function onesOf(family: 4 | 6): bigint {
  return (1n << BigInt(BITS[family])) - 1n;
}

function topOf({ family, value }: Address): bigint {
  return value >> BigInt(BITS[family] - 8);
}
