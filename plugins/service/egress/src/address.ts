/** An IP address as a number; IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2) are the IPv4 addresses that they map. */
export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** All addresses from the first to the last. */
export interface AddressRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

const MAPPED = 0xffffn << 32n;
const V4_MASK = 0xffff_ffffn;

/** Dotted quads and every form of IPv6; a zone is left out. Undefined for all else, `127.1` and `010.0.0.1` included. */
export function parseAddress(text: string): Address | undefined {
  const parsed = parseUnmapped(text);
  if (parsed === undefined || parsed.family === 4 || parsed.value >> 32n !== MAPPED >> 32n) return parsed;
  return { family: 4, value: parsed.value & V4_MASK };
}

/** An address, a block (`10.0.0.0/8`, bits behind the prefix do not matter) or `first-last`. */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  if (prefix !== undefined) return blockOf(base, Number(prefix));
  const ends = text.split('-');
  const first = parseAddress(ends[0] ?? '');
  const last = ends.length === 1 ? first : parseAddress(ends[1] ?? '');
  if (ends.length > 2 || first === undefined || last?.family !== first.family || last.value < first.value) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

/** As people write it; ranges as `first-last`. */
export function formatRange({ family, first, last }: AddressRange): string {
  return first === last ? format(family, first) : `${format(family, first)}-${format(family, last)}`;
}

function blockOf(base: string, prefix: number): AddressRange | undefined {
  const parsed = parseUnmapped(base);
  const bits = parsed?.family === 4 ? 32 : 128;
  if (parsed === undefined || prefix > bits) return undefined;
  const size = 1n << BigInt(bits - prefix);
  const first = parsed.value - (parsed.value % size);
  // A block of mapped addresses is one of IPv4; a wider one is not.
  if (parsed.family === 6 && prefix >= 96 && first >> 32n === MAPPED >> 32n) {
    return { family: 4, first: first & V4_MASK, last: (first & V4_MASK) + size - 1n };
  }
  return { family: parsed.family, first, last: first + size - 1n };
}

/** A byte of a dotted quad: without zeros in front, which some programs read as octal. */
const BYTE = /^(?:0|[1-9]\d{0,2})$/;

function parseUnmapped(text: string): Address | undefined {
  const bytes = text.split('.');
  if (bytes.length === 4 && bytes.every((byte) => BYTE.test(byte) && Number(byte) <= 255)) {
    return { family: 4, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) };
  }
  const [bare = ''] = text.split('%', 1);
  if (!/^[\da-f.]*:[\da-f:.]*$/i.test(bare) || !URL.canParse(`http://[${bare}]`)) return undefined;
  return { family: 6, value: groupsOf(bare).reduce((value, group) => (value << 16n) | BigInt(group), 0n) };
}

/** The eight groups; the URL parser does the spelling. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parse = (part = ''): readonly number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [left, right] = [parse(head), parse(tail)];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function format(family: 4 | 6, value: bigint): string {
  const parts = family === 4 ? [24n, 16n, 8n, 0n] : [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n];
  if (family === 4) return parts.map((shift) => String((value >> shift) & 0xffn)).join('.');
  const groups = parts.map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}
