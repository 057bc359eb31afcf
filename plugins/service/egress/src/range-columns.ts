import type { Address, AddressRange } from './address.js';

const BITS = { 4: 32, 6: 128 } as const;
/** From here on an address is no network's that a mask would stand behind, but one of multicast or reserved ranges. */
const RESERVED = 0xe0n;
/** What has so many addresses, and begins and ends where a block does, is one: nobody lists its first and last address alone. */
const SURE_BLOCK = 256n;

/**
 * What two addresses in columns mean, by the column behind them: the first and the last of a block (`45.148.10.0 45.148.10.255 24`), an
 * address and its netmask (`10.9.0.0 255.255.0.0`), or two addresses. Undefined for what may mean two things.
 */
export function joinColumns(from: Address, to: Address, third?: string): readonly AddressRange[] | undefined {
  const each = [from, to].map(toRange);
  if (to.family !== from.family) return each;
  const prefix = prefixOf(to);
  if (prefix === undefined || from.value === to.value) {
    if (isWildcard(to)) return undefined;
    return isBlock(from, to, third) ? [{ family: from.family, first: from.value, last: to.value }] : each;
  }
  // 64.0.0.0 192.0.0.0: a mask, or an address.
  return prefix < 8 || topOf(from) === 0n || topOf(from) >= RESERVED ? undefined : [blockOf(from, to)];
}

function toRange({ family, value }: Address): AddressRange {
  return { family, first: value, last: value };
}

/** Of IPv4, `255.255.255.0`: what stands among several addresses as none of them. */
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

/** Of a contiguous netmask: how many ones it begins with, if zeros alone follow. */
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
