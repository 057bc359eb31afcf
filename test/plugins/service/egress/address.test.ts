import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRange, parseAddress, parseRange } from '../../../../plugins/service/egress/src/address.js';

const roundTrip = (text: string) => {
  const range = parseRange(text);
  return range && formatRange(range);
};

describe('an address', () => {
  it('is what Node takes for one, and the one that a URL makes of it', () => {
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('0', '1', 'db8', 'FFFF', '00ff', '12345', '') },
      { weight: 1, arbitrary: fc.constantFrom('1.2.3.4', '255.0.0.1', '1.2.3', '01.2.3.4', '256.1.1.1', 'g', ':') },
    );
    const text = fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(':')),
      fc.ipV6(),
      fc.ipV4(),
    );
    fc.assert(
      fc.property(text, (address) => {
        const parsed = parseAddress(address);
        expect(parsed !== undefined).toBe(isIP(address) !== 0);
        if (parsed?.family === 6) expect(roundTrip(address)).toBe(new URL(`http://[${address}]`).hostname.slice(1, -1));
      }),
      { numRuns: 5000 },
    );
  });
});

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
    ...['', 'example.com', '127.1', '010.0.0.1', '0x7f.0.0.1', '256.0.0.1', '192.0.2.1/33', '::1/129', '192.0.2.1/', '192.0.2.1/-1'],
    ...['192.0.2.9-192.0.2.1', '192.0.2.9-2001:db8::', '1.1.1.1-1.1.1.2-1.1.1.3', '[::1]'],
  ])('%j is none', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  it('of IPv6 does not hold IPv4 by the way', () => {
    expect(parseRange('::/0')?.family).toBe(6);
    expect(parseAddress('::ffff:127.0.0.1')).toEqual(parseAddress('127.0.0.1'));
  });
});
