import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress, parseRange } from '../../../../plugins/service/egress/src/address.js';
import { createRangeSet } from '../../../../plugins/service/egress/src/ranges.js';

const setOf = (...texts: readonly string[]) => createRangeSet(texts.map(parseRange).filter((range) => range !== undefined));
const has = (set: ReturnType<typeof setOf>, text: string) => {
  const address = parseAddress(text);
  return address !== undefined && set.find(address) !== undefined;
};

describe('a set of ranges', () => {
  it('joins what overlaps and what touches', () => {
    const set = setOf('10.0.0.0/25', '10.0.0.128/25', '10.0.0.7', '10.0.2.0/24', '2001:db8::1', '2001:db8::2', '2001:db8::4');
    expect(set.size).toBe(4);
    expect(has(set, '10.0.0.255')).toBe(true);
    expect(has(set, '10.0.1.0')).toBe(false);
    expect(has(set, '2001:db8::3')).toBe(false);
  });

  it('holds nothing of the other family, and an empty one holds nothing', () => {
    expect(has(setOf('0.0.0.0/0'), '::1')).toBe(false);
    expect(has(setOf('::/0'), '127.0.0.1')).toBe(false);
    expect(has(setOf(), '127.0.0.1')).toBe(false);
  });

  it('joins at the edges of words and of all addresses', () => {
    const set = setOf(
      '2001:db8::ffff:ffff',
      '2001:db8:0:0:0:1::',
      'ffff::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
      '::',
      '0.0.0.0',
      '255.255.255.255',
    );
    expect(set.size).toBe(5);
    expect(has(set, '2001:db8:0:0:0:1::')).toBe(true);
    expect(has(set, '::1')).toBe(false);
  });

  it('says of every IPv6 address what the block list of Node says', () => {
    const group = fc.constantFrom('0', '1', '2', 'fffe', 'ffff');
    const address = fc
      .tuple(fc.constantFrom('2001', '2002'), group, group, group, group, group, group, group)
      .map((parts) => parts.join(':'));
    const block = fc.tuple(address, fc.integer({ min: 10, max: 128 }));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), fc.array(address, { minLength: 20, maxLength: 20 }), (blocks, asked) => {
        const oracle = new BlockList();
        for (const [base, prefix] of blocks) oracle.addSubnet(base, prefix, 'ipv6');
        const set = setOf(...blocks.map(([base, prefix]) => `${base}/${String(prefix)}`));
        for (const each of [...asked, ...blocks.map(([base]) => base)]) expect(has(set, each)).toBe(oracle.check(each, 'ipv6'));
      }),
      { numRuns: 200 },
    );
  });

  it('says of every address what the block list of Node says', () => {
    const part = fc.integer({ min: 0, max: 255 });
    const address = fc.tuple(fc.constantFrom(10, 11), fc.constantFrom(0, 1), part, part).map((parts) => parts.join('.'));
    const block = fc.tuple(address, fc.integer({ min: 12, max: 32 }));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), fc.array(address, { minLength: 20, maxLength: 20 }), (blocks, asked) => {
        const oracle = new BlockList();
        for (const [base, prefix] of blocks) oracle.addSubnet(base, prefix, 'ipv4');
        const set = setOf(...blocks.map(([base, prefix]) => `${base}/${String(prefix)}`));
        for (const each of asked) expect(has(set, each)).toBe(oracle.check(each, 'ipv4'));
      }),
      { numRuns: 200 },
    );
  });
});
