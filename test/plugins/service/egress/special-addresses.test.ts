import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../../plugins/service/egress/src/address.js';
import { createKindNamer } from '../../../../plugins/service/egress/src/policy.js';

const nameKind = createKindNamer();
const kindOf = (text: string) => {
  const address = parseAddress(text);
  return address && nameKind(address);
};

/** First, last and the neighbours of every special block; `public` as the registries of IANA say. */
const TABLE: readonly (readonly [address: string, isPublic: boolean])[] = [
  ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
  ...['169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.0'],
  ...['192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ...['2001:db8::1', '2002::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1'],
]
  .map((address): readonly [string, boolean] => [address, false])
  .concat(
    ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255'].map(
      (address): readonly [string, boolean] => [address, true],
    ),
    ['172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'].map(
      (address): readonly [string, boolean] => [address, true],
    ),
    ['2606:4700:4700::1111', '2a00::1', '2001:4860:4860::8888', '64:ff9b::808:808'].map((address): readonly [string, boolean] => [
      address,
      true,
    ]),
  );

describe('what is not of the public Internet', () => {
  it.each(TABLE)('S5: %s: public %s', (address, isPublic) => {
    expect(kindOf(address) === undefined).toBe(isPublic);
  });

  it.each(TABLE.filter(([address]) => !address.startsWith('64:ff9b::')))('S5: %s is judged as by another library', (address, isPublic) => {
    const range = ipaddr.process(address).range();
    // That one does not know all of the younger registrations.
    if (isPublic || range !== 'unicast') expect(range === 'unicast').toBe(isPublic);
    else expect(['5f00::1', '::7f00:1', 'fec0::1', '192.88.99.1', '64:ff9b:1::1', '2001:2::1', '3fff::1']).toContain(address);
  });

  it.each([
    ['127.0.0.1', 'a loopback address'],
    ['::ffff:10.0.0.1', 'a private address'],
    ['169.254.1.1', 'a link-local address'],
    ['100.64.0.1', 'a shared address of a carrier'],
    ['224.0.0.251', 'a multicast address'],
    ['0.0.0.0', 'an unspecified address'],
    ['2002::1', 'an address of a tunnel'],
    ['203.0.113.1', 'a reserved address'],
  ])('S5: %s is %s', (address, kind) => {
    expect(kindOf(address)).toBe(kind);
  });
});
