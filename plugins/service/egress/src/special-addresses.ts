import { type Address, type AddressRange, parseRange } from './address.js';

/**
 * Addresses outside the public Internet, by the IANA special-purpose address registries (RFC 6890). The well-known NAT64 prefix
 * (64:ff9b::/96) is not included: it embeds an IPv4 address, which is checked.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  'a loopback address': ['127.0.0.0/8', '::1'],
  'an unspecified address': ['0.0.0.0/8', '::'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10'],
  'a shared address of a carrier': ['100.64.0.0/10'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'an address of a tunnel': ['192.88.99.0/24', '2001::/32', '2002::/16', '64:ff9b:1::/48'],
  'a reserved address': [
    '192.0.0.0/24',
    '192.0.2.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '240.0.0.0/4',
    '::/96',
    '100::/64',
    '100:0:0:1::/64',
    '2001:2::/48',
    '2001:10::/28',
    '2001:20::/28',
    '2001:db8::/32',
    '3fff::/20',
    '5f00::/16',
  ],
};

/** The kind of a non-public address; undefined for public addresses. */
export type NameKind = (address: Address) => string | undefined;

export function createKindNamer(): NameKind {
  const table = Object.entries(KINDS).flatMap(([kind, blocks]) =>
    blocks.map(parseRange).flatMap((range) => (range === undefined ? [] : [{ kind, range }])),
  );
  return (address) => table.find(({ range }) => holds(range, address))?.kind;
}

function holds({ family, first, last }: AddressRange, address: Address): boolean {
  return family === address.family && first <= address.value && address.value <= last;
}
