import { type Address, type AddressRange, BITS, parseAddress, parseRange } from './address.js';

/** The ranges in the columns of a line, and whether some columns could not be parsed. */
export interface Columns {
  readonly ranges: readonly AddressRange[];
  readonly isPartial: boolean;
}

/** How an address begins, well-formed or not. */
const ADDRESS = String.raw`["'[]{0,3}(?:(?:\d{1,9}\.){3}\d|[\da-f:]{0,39}(?:::|(?::[\da-f]+){6}))`;
export const LIKE_ADDRESS = new RegExp(`^${ADDRESS}`, 'i');

/** Between the ends of a range: `192.0.2.1 - 192.0.2.9`, `192.0.2.1 to 192.0.2.9`. */
const SPAN = new RegExp(
  String.raw`["'\]]{0,3}(?:\s?(?:[\u2013\u2014-]+|\.{2,3}|[=-]>|~)\s?|\s(?:to|thru|through|until|till)\s)(?=${ADDRESS})["'[]{0,3}`,
  'gi',
);

/** A time or a number before the address, as in the tables of abuse.ch. */
const LEADING_COLUMNS =
  /^(?:["']?(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?|\d{1,10})["']? ?[,;|\t] ?)+/;

/** `#`, a semicolon that does not separate addresses, or a dash before or after a blank. */
const COMMENT = new RegExp(String.raw`#|;(?!\s?${ADDRESS})|(?<=\s)[\u2013\u2014-]+(?![\u2013\u2014-])|[\u2013\u2014-]+(?=\s|$)`, 'i');

/** The prefix of a block with blanks around its slash: `10.1.0.0 / 16`. */
const LOOSE_PREFIX = /\s?\/\s?(?=\d{1,3}(?:[\s,;|]|$))/g;

/** `192.0.2.1:443`, `[2001:db8::1]:443`, `[192.0.2.1]`, `[2001:db8::]/32`: an entry applies to all ports. */
const DELIMITED = /^(?:\[(?<bracketed>[^\]]+)\](?<prefix>\/\d{1,3})?|(?<dotted>(?:\d+\.){3}\d+)(?=:))(?::\d{1,5})?$/;

/** The columns of a line without a leading time and a comment, each address, block or range as `parseRange` reads it. */
export function splitColumns(line: string): readonly string[] {
  // Single blanks: the patterns take quadratic time on long runs.
  const text = line
    .replace(/\s{2,}/g, ' ')
    .replace(/^-\s/, '')
    .replace(SPAN, '-')
    .replace(LEADING_COLUMNS, '');
  const [entry = ''] = text.split(COMMENT, 1);
  return (
    entry
      .replace(LOOSE_PREFIX, '/')
      // The netmask of 10.9.0.0/255.255.0.0 is a column.
      .replace(/\/(?=\d+\.)/g, ' ')
      .split(/[\s,;|]+/)
      .filter((column) => column !== '')
      .map(stripDelimiters)
  );
}

/** Without quotes, brackets and a port. */
function stripDelimiters(column: string): string {
  const bare = column.replace(/^["']+/, '').replace(/(?<!["'])["']+$/, '');
  const { bracketed, prefix = '', dotted } = DELIMITED.exec(bare)?.groups ?? {};
  return bracketed === undefined ? (dotted ?? bare) : `${bracketed}${prefix}`;
}

/** The entries up to the first other column. Undefined if there are none, or if the line is ambiguous. */
export function readColumns(columns: readonly string[]): Columns | undefined {
  const other = columns.findIndex((column) => !LIKE_ADDRESS.test(column));
  const entries = other < 0 ? columns : columns.slice(0, other);
  const behind = columns.slice(entries.length);
  const ranges = entries.map(parseRange).filter((range) => range !== undefined);
  const isPartial = ranges.length < entries.length || behind.some((column) => parseRange(column) !== undefined);
  if (ranges.length === 0) return undefined;
  const [from, to, ...others] = entries.map(parseAddress);
  if (others.length > 0) return [from, to, ...others].some(isNetmask) ? undefined : { ranges, isPartial };
  if (from?.family !== to?.family || from === undefined || to === undefined) return { ranges, isPartial };
  const joined = joinAddresses(from, to, behind[0]);
  return joined && { ranges: joined === 'separate' ? ranges : [joined], isPartial };
}

/** From here on addresses are multicast or reserved, not networks with a mask. */
const RESERVED = 0xe0n;

/** A range with at least so many addresses that starts and ends like a block is a block, not two single addresses. */
const SURE_BLOCK = 256n;

/**
 * Interprets two addresses in columns by the next column: first and last of a block (`45.148.10.0 45.148.10.255 24`, as in DShield's list),
 * an address and its netmask (`10.9.0.0 255.255.0.0`), or two addresses. Undefined if ambiguous.
 */
function joinAddresses(from: Address, to: Address, next?: string): AddressRange | 'separate' | undefined {
  const { family, value: first } = from;
  const hosts = hostsOf(to);
  if (hosts !== undefined && first !== to.value) {
    // In `64.0.0.0 192.0.0.0` the second can be a mask or an address, in `240.0.0.0 255.255.255.255` the end of a range.
    const isSure = topOf(to) === 0xffn && topOf(from) > 0n && topOf(from) < RESERVED;
    return isSure ? { family, first: first & to.value, last: (first & to.value) + hosts } : undefined;
  }
  if (isWildcard(to)) return undefined;
  const size = to.value - first + 1n;
  const isAligned = size > 1n && (size & (size - 1n)) === 0n && first % size === 0n;
  const isBlock = isAligned && (size >= SURE_BLOCK || next === String(BITS[family] - size.toString(2).length + 1));
  return isBlock ? { family, first, last: to.value } : 'separate';
}

/** Whether it is an IPv4 netmask of at least 8 bits, such as `255.255.255.0`. */
function isNetmask(address: Address | undefined): boolean {
  return address !== undefined && topOf(address) === 0xffn && hostsOf(address) !== undefined;
}

/** The mask of an access list: `0.0.255.255`. */
function isWildcard({ family, value }: Address): boolean {
  return family === 4 && value > 0n && topOf({ family, value }) === 0n && (value & (value + 1n)) === 0n;
}

/** The bits after a contiguous netmask: `0.0.0.255` of `255.255.255.0`. */
function hostsOf({ family, value }: Address): bigint | undefined {
  const hosts = ((1n << BigInt(BITS[family])) - 1n) ^ value;
  return (hosts & (hosts + 1n)) === 0n ? hosts : undefined;
}

function topOf({ family, value }: Address): bigint {
  return value >> BigInt(BITS[family] - 8);
}
