import type { LookupAddress } from 'node:dns';
import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Address families with routes beyond the machine. */
export interface Reach {
  readonly ipv4: boolean;
  readonly ipv6: boolean;
}

export function reachOfHost(): Reach {
  const outward = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal }) => !internal);
  return {
    ipv4: outward.some(({ family }) => family === 'IPv4'),
    ipv6: outward.some(({ family, address }) => family === 'IPv6' && !address.startsWith('fe80:')),
  };
}

/** Of lower precedence than IPv4: 6to4, Teredo, unique local addresses (RFC 6724, 2.1). */
const BEHIND_IPV4 = new BlockList();
BEHIND_IPV4.addSubnet('2002::', 16, 'ipv6');
BEHIND_IPV4.addSubnet('2001::', 32, 'ipv6');
BEHIND_IPV4.addSubnet('fc00::', 7, 'ipv6');

/** Orders addresses like the system's resolver (RFC 6724, 6: rules 1 and 6): unreachable addresses last, IPv6 before IPv4. */
export function orderAddresses(addresses: readonly LookupAddress[], reach: Reach): readonly LookupAddress[] {
  const rank = ({ address }: LookupAddress): number => {
    if (address === '::1') return 0;
    if (!isIPv6(address)) return reach.ipv4 || address.startsWith('127.') ? 2 : 4;
    if (!reach.ipv6) return 4;
    return BEHIND_IPV4.check(address, 'ipv6') ? 3 : 1;
  };
  return addresses.toSorted((one, other) => rank(one) - rank(other));
}
