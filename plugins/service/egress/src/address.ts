import { isIPv4, isIPv6 } from 'node:net';

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

export const BITS = { 4: 32, 6: 128 } as const;

const V4_MASK = 0xffff_ffffn;

/** Parses dotted quads and every form of IPv6, ignoring a zone. Undefined for anything else, including `127.1` and `010.0.0.1`. */
export function parseAddress(text: string): Address | undefined {
  const address = parseUnmapped(text);
  return address?.family === 6 && isMapped(address.value) ? { family: 4, value: address.value & V4_MASK } : address;
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
  const address = parseUnmapped(base);
  if (address === undefined || prefix > BITS[address.family]) return undefined;
  const { family, value } = address;
  const size = 1n << BigInt(BITS[family] - prefix);
  const first = value - (value % size);
  // A block within the mapped addresses is an IPv4 block; a wider block is not.
  if (family === 6 && prefix >= 96 && isMapped(first)) return { family: 4, first: first & V4_MASK, last: (first & V4_MASK) + size - 1n };
  return { family, first, last: first + size - 1n };
}

function isMapped(value: bigint): boolean {
  return value >> 32n === 0xffffn;
}

function parseUnmapped(text: string): Address | undefined {
  if (isIPv4(text)) return { family: 4, value: BigInt(valueOfIPv4(text)) };
  const [bare = ''] = text.split('%', 1);
  return isIPv6(bare) ? { family: 6, value: valueOfIPv6(bare) } : undefined;
}

function valueOfIPv4(text: string): number {
  return text.split('.').reduce((value, byte) => value * 256 + Number(byte), 0);
}

function valueOfIPv6(text: string): bigint {
  const [head = '', tail] = text.split('::').map(toHex);
  return BigInt(`0x${head}${tail?.padStart(32 - head.length, '0') ?? ''}`);
}

/** The groups around `::` in full length; the last may be a dotted quad. */
function toHex(groups: string): string {
  let hex = '';
  for (const group of groups.split(':')) {
    hex += group.includes('.') ? valueOfIPv4(group).toString(16).padStart(8, '0') : group.padStart(4, '0');
  }
  return hex;
}

function format(family: 4 | 6, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
