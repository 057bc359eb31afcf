import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { orderAddresses } from '../../../kernel/src/egress/name-resolver.js';

const ADDRESSES = ['192.0.2.1', 'fd00::1', '2001:db8::1', '192.0.2.2', '::1'].map((address) => ({ address, family: isIP(address) }));

describe('addresses come in the order of the system', () => {
  it.each([
    ['both families', { ipv4: true, ipv6: true }, ['::1', '2001:db8::1', '192.0.2.1', '192.0.2.2', 'fd00::1']],
    ['IPv4 alone', { ipv4: true, ipv6: false }, ['::1', '192.0.2.1', '192.0.2.2', 'fd00::1', '2001:db8::1']],
    ['IPv6 alone', { ipv4: false, ipv6: true }, ['::1', '2001:db8::1', 'fd00::1', '192.0.2.1', '192.0.2.2']],
  ])('on a host with %s', (_, reachable, order) => {
    expect(orderAddresses(ADDRESSES, reachable).map(({ address }) => address)).toEqual(order);
  });
});
