import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatRange, parseAddress } from '../../../../plugins/service/egress/src/address.js';
import { collectNames, countNames, hasName } from '../../../../plugins/service/egress/src/name-table.js';
import { parseList } from '../../../../plugins/service/egress/src/parse-list.js';
import { collectRanges, openRangeSet } from '../../../../plugins/service/egress/src/ranges.js';

const read = (text: string) => parseList(Buffer.from(text));
const rangesOf = (text: string) => {
  const set = openRangeSet(read(text).ranges);
  const found = (address: string) => {
    const parsed = parseAddress(address);
    const range = parsed && set.find(parsed);
    return range && formatRange(range);
  };
  return { size: set.size, found };
};

describe('a list', () => {
  it('may have a byte order mark and any line ends', () => {
    const { size, found } = rangesOf('\uFEFF192.0.2.1\r\n192.0.2.3\r192.0.2.5\n\r\n192.0.2.7');
    expect(size).toBe(4);
    expect(['1', '3', '5', '7'].map((byte) => found(`192.0.2.${byte}`))).toEqual(['192.0.2.1', '192.0.2.3', '192.0.2.5', '192.0.2.7']);
  });

  it('has its ranges joined, whatever their order', () => {
    const { size, found } = rangesOf('2001:db8::2\n192.0.2.4/30\n::ffff:192.0.2.3\n2001:db8::1\n192.0.2.1 192.0.2.2\n192.0.2.5');
    expect(size).toBe(2);
    expect([found('192.0.2.2'), found('2001:db8::1')]).toEqual(['192.0.2.1-192.0.2.7', '2001:db8::1-2001:db8::2']);
  });

  it('has its names found, each once, and no part of one', () => {
    const { names } = read('0.0.0.0 b.example a.example\n127.0.0.1 B.example. c.example\n');
    expect(countNames(names)).toBe(3);
    expect(['a.example', 'b.example', 'c.example'].map((name) => hasName(names, name))).toEqual([true, true, true]);
    expect(['', 'a', 'a.exampl', 'a.examplea', 'aa.example', 'd.example', '\u00e9'].map((name) => hasName(names, name))).not.toContain(
      true,
    );
  });

  it('is told by the digest of its bytes', () => {
    expect(read('192.0.2.1 # \u00e9').digest).toBe(createHash('sha256').update('192.0.2.1 # \u00e9').digest('hex'));
  });

  it('says which lines are the first that it does not understand, cut', () => {
    const { skipped, samples } = read(`# a list\r\n192.0.2.1\r\n\r\n  what \r\n192.0.2.1,192.0.2.300\n${'"'.repeat(100_000)}x\n1\n2\n3\n4`);
    expect(skipped).toBe(7);
    expect(samples.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8]);
    expect(samples.slice(0, 3).map(({ text }) => text)).toEqual(['what', '192.0.2.1,192.0.2.300', '"'.repeat(100)]);
    expect(read('192.0.2.1').samples).toEqual([]);
  });

  it('is numbered by its lines where it is read in pieces', () => {
    const text = `${'192.0.2.1\r\n'.repeat(300_000)}what\r\n`;
    expect(read(text).samples).toEqual([{ line: 300_001, text: 'what' }]);
  });
});

describe('a list of millions', () => {
  it('takes nothing for what it says again and again', () => {
    expect(rangesOf('::\n0.0.0.0/0\n'.repeat(600_000)).size).toBe(2);
  });

  it('is refused beyond a million ranges of IPv6', () => {
    // As a list is read, without the lines.
    const ranges = collectRanges();
    const add = (value: bigint) => ranges.add({ family: 6, first: value, last: value });
    for (let at = 0; at < 2 ** 20; at += 1) add(BigInt(2 * at));
    expect(openRangeSet(ranges.build()).size).toBe(2 ** 20);
    add(2n ** 100n);
    expect(() => ranges.build()).toThrow('it comes to more than 1048576 ranges of IPv6');
  }, 60_000);

  it('is refused beyond two million names', () => {
    const names = collectNames();
    for (let at = 0; at < 2 ** 21; at += 1) names.add(`x${at.toString(36)}`);
    names.add('x0');
    expect(() => names.add('one.more')).toThrow('it has more than 2097152 names');
  }, 60_000);
});
