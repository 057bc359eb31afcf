import { type Address, type AddressRange, parseAddress, parseRange } from './address.js';

const BITS = { 4: 32, 6: 128 } as const;
/** The sizes of a /8 and a /16: what is wider, and no block, is rather two addresses than a range. */
const WIDEST = { 4: 1n << 24n, 6: 1n << 112n } as const;
/** From here on an address is no network's that a mask would stand behind, but one of multicast or reserved ranges. */
const RESERVED = 0xe0n;

/**
 * The entry of a line whose second column may belong to the first: the last address of a range (`45.148.10.0 45.148.10.255`), its
 * netmask (`10.9.0.0 255.255.0.0`) or its prefix (`10.9.0.0 /16`). Undefined for what may mean two things.
 */
export function joinColumns(first: string, second: string | undefined): AddressRange | undefined {
  if (second !== undefined && /^\/\d+$/.test(second)) return parseRange(`${first}${second}`);
  const [from, to] = [parseAddress(first), parseAddress(second ?? '')];
  if (from === undefined || to?.family !== from.family) return parseRange(first);
  const prefix = prefixOf(to);
  if (prefix === undefined || from.value === to.value) return rangeOf(from, to);
  // 64.0.0.0 192.0.0.0: a mask, or an end.
  return prefix < 8 || topOf(from) === 0n || topOf(from) >= RESERVED ? undefined : blockOf(from, to);
}

function rangeOf({ family, value: first }: Address, { value: last }: Address): AddressRange | undefined {
  const size = last - first + 1n;
  if (size < 1n) return undefined;
  const isBlock = (size & (size - 1n)) === 0n && first % size === 0n;
  return isBlock || size <= WIDEST[family] ? { family, first, last } : undefined;
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
