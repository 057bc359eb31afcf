import type { Address, AddressRange } from './address.js';

const BITS = { 4: 32, 6: 128 } as const;
/** From here on addresses are multicast or reserved, not networks with a mask. */
const RESERVED = 0xe0n;
/** A range with at least so many addresses that starts and ends like a block is a block, not two single addresses. */
const SURE_BLOCK = 256n;

/**
 * Interprets two addresses in columns by the next column: first and last of a block (`45.148.10.0 45.148.10.255 24`), an address and
 * its netmask (`10.9.0.0 255.255.0.0`), or two addresses. Undefined if ambiguous.
 */
export function joinColumns(from: Address, to: Address, third?: string): readonly AddressRange[] | undefined {
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
export function isNetmask(address: Address): boolean {
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
