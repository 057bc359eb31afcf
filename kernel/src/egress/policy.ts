import { BlockList, isIP } from 'node:net';

/** A planned connection: the exact address to be dialed, and its host name. */
export interface Destination {
  readonly address: string;
  readonly port: number;
  readonly host: string;
  /** The operator named this host in a flag, for requests of the server itself: it may have a private address. */
  readonly namedByOperator?: boolean;
}

/**
 * Checks one destination: a reason refuses it, undefined passes it to the next filter. The reason is a clause that the client of a refused
 * target reads: "its address is a private one".
 */
export type AddressFilter = (destination: Destination) => string | undefined;

/**
 * Checks a name before its addresses are looked up, as an `AddressFilter` checks each address. The name is in lower case, without a
 * trailing dot.
 */
export type HostFilter = (name: string) => string | undefined;

/** Returns whether the operator has allowed a destination: the metadata rule then lets it pass. All other filters still apply. */
export type AllowRule = (destination: Destination) => boolean;

/** IPv4 addresses at which clouds give credentials to every internal client. */
const METADATA_V4: readonly (readonly [string, number])[] = [
  // Link-local as a whole (RFC 3927): AWS, Azure, GCP, DigitalOcean, OpenStack at .169.254, ECS tasks at .170.2, EKS pods at .170.23.
  ['169.254.0.0', 16],
  ['100.100.100.200', 32], // Alibaba Cloud
  ['192.0.0.192', 32], // Oracle Cloud
  ['168.63.129.16', 32], // Azure's WireServer
];

const METADATA_V6: readonly (readonly [string, number])[] = [
  ['fe80::', 10], // link-local as a whole (RFC 4291): OpenStack answers at fe80::a9fe:a9fe
  ['fd00:ec2::', 32], // AWS: instances ::254, EKS pods ::23
  ['fd20:ce::', 64], // GCP
];

const metadata = new BlockList();
for (const [network, prefix] of METADATA_V4) metadata.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of METADATA_V6) metadata.addSubnet(network, prefix, 'ipv6');

/** Refuses cloud metadata services, in every form in which IPv6 can carry their IPv4 addresses. Everything else passes. */
export const blockMetadataServices: AddressFilter = ({ address }) => {
  const bare = withoutZone(address);
  const family = isIP(bare);
  if (family === 0) return 'not an IP address';
  if (metadata.check(bare, family === 4 ? 'ipv4' : 'ipv6')) return 'cloud metadata address';
  const hidden = family === 6 ? embeddedIPv4(bare) : [];
  return hidden.some((inner) => metadata.check(inner, 'ipv4')) ? 'cloud metadata address' : undefined;
};

/**
 * The IPv4 addresses that an IPv6 address may represent: mapped and compatible (RFC 4291), translated (RFC 2765), NAT64 with the well-known
 * prefix (RFC 6052) and with the prefixes of every length within the local-use one (RFC 8215), 6to4 (RFC 3056), Teredo's server and client
 * (RFC 4380), ISATAP (RFC 5214).
 */
export function embeddedIPv4(address: string): readonly string[] {
  const g = groupsOf(address);
  const at = (index: number): number => g[index] ?? 0;
  const pair = (index: number): string => dotted(at(index), at(index + 1));
  const zeros = (from: number, to: number): boolean => g.slice(from, to).every((group) => group === 0);
  const last = pair(6);
  if (zeros(0, 5) && (at(5) === 0 || at(5) === 0xffff)) return [last];
  if (zeros(0, 4) && at(4) === 0xffff && at(5) === 0) return [last];
  if (at(0) === 0x64 && at(1) === 0xff9b && zeros(2, 6)) return [last];
  if (at(0) === 0x64 && at(1) === 0xff9b) return [...TRANSLATION_PREFIXES.map((bits) => translatedIPv4(g, bits)), last];
  if (at(0) === 0x2002) return [pair(1)];
  if (at(0) === 0x2001 && at(1) === 0) return [pair(2), dotted(at(6) ^ 0xffff, at(7) ^ 0xffff)];
  if ((at(4) & 0xfdff) === 0 && at(5) === 0x5efe) return [last];
  return [];
}

/** Possible lengths in bits of NAT64 prefixes within 64:ff9b:1::/48; after a 96-bit prefix the IPv4 address is at the end. */
const TRANSLATION_PREFIXES = [48, 56, 64] as const;

/** The IPv4 address after a NAT64 prefix of the given length (RFC 6052, section 2.2): the octet of bits 64 to 71 is not part of it. */
function translatedIPv4(groups: readonly number[], bits: (typeof TRANSLATION_PREFIXES)[number]): string {
  const octets = groups.flatMap((group) => [group >> 8, group & 0xff]);
  return octets
    .toSpliced(8, 1)
    .slice(bits / 8, bits / 8 + 4)
    .join('.');
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight 16-bit groups of an IPv6 address in any valid spelling; the URL parser does the spelling. */
function groupsOf(address: string): readonly number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string | undefined): number[] => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [left, right] = [parse(head), parse(tail)];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

function withoutZone(address: string): string {
  return address.split('%', 1)[0] ?? address;
}
