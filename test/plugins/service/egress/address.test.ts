import { describe, expect, it } from 'vitest';
import { formatRange, parseAddress, parseRange } from '../../../../plugins/service/egress/src/address.js';

const roundTrip = (text: string) => {
  const range = parseRange(text);
  return range && formatRange(range);
};

describe('a range', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.77/24', '192.0.2.0-192.0.2.255'],
    ['0.0.0.0/0', '0.0.0.0-255.255.255.255'],
    ['192.0.2.9-192.0.2.12', '192.0.2.9-192.0.2.12'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8::/126', '2001:db8::-2001:db8::3'],
    ['::/0', '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:200/120', '192.0.2.0-192.0.2.255'],
    ['::ffff:192.0.2.1-192.0.2.4', '192.0.2.1-192.0.2.4'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is %s', (text, range) => {
    expect(roundTrip(text)).toBe(range);
  });

  it.each([
    '',
    'example.com',
    '127.1',
    '010.0.0.1',
    '0x7f.0.0.1',
    '256.0.0.1',
    '192.0.2.1/33',
    '::1/129',
    '192.0.2.1/',
    '192.0.2.1/-1',
    '192.0.2.9-192.0.2.1',
    '192.0.2.9-2001:db8::',
    '1.1.1.1-1.1.1.2-1.1.1.3',
    '[::1]',
  ])('%j is none', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  it('of IPv6 does not hold IPv4 by the way', () => {
    expect(parseRange('::/0')?.family).toBe(6);
    expect(parseAddress('::ffff:127.0.0.1')).toEqual(parseAddress('127.0.0.1'));
  });
});
