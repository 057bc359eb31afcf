import { describe, expect, it } from 'vitest';
import { formatRange } from '../../../../plugins/service/egress/src/address.js';
import { parseLine } from '../../../../plugins/service/egress/src/parse-list.js';

const read = (...lines: readonly string[]) => {
  const entries = lines.map(parseLine);
  return {
    ranges: entries.flatMap((entry) => entry?.ranges ?? []).map(formatRange),
    names: entries.flatMap((entry) => entry?.names ?? []),
    skipped: entries.filter((entry) => entry?.isPartial !== false).length,
  };
};
const only = (...ranges: readonly string[]) => ({ ranges, names: [], skipped: 0 });

describe('a blocklist', () => {
  it('has an address, a block or a range a line, with comments and empty lines', () => {
    expect(
      read('# a comment', '; another', '', '192.0.2.1', '198.51.100.0/30 # why', '203.0.113.1 - 203.0.113.3', '2001:db8::/127'),
    ).toEqual(only('192.0.2.1', '198.51.100.0-198.51.100.3', '203.0.113.1-203.0.113.3', '2001:db8::-2001:db8::1'));
  });

  it('may be as Spamhaus writes DROP: text', () => {
    expect(read('; Spamhaus DROP List 2026/11/21', '192.0.2.0/31 ; SBL256894', '2001:db8::/128 ; SBL1')).toEqual(
      only('192.0.2.0-192.0.2.1', '2001:db8::'),
    );
  });

  it('may be as Spamhaus writes DROP: JSON lines', () => {
    expect(
      read('{"cidr":"192.0.2.0/31","sblid":"SBL256894","rir":"apnic"}', '{"type":"metadata","timestamp":1763683200,"records":1}'),
    ).toEqual(only('192.0.2.0-192.0.2.1'));
  });

  it('may be a netset as FireHOL has it', () => {
    expect(read('#', '# firehol_level1', '#', '192.0.2.0/31', '198.51.100.7')).toEqual(only('192.0.2.0-192.0.2.1', '198.51.100.7'));
  });

  it('may have a count behind each address, or other columns', () => {
    expect(read('192.0.2.1\t9', '192.0.2.2,2026-11-21,botnet', '127.0.0.1 5')).toEqual(only('192.0.2.1', '192.0.2.2', '127.0.0.1'));
  });

  it('may be as DShield writes it: first, last, prefix, count', () => {
    expect(read('# DShield.org', '45.148.10.0\t45.148.10.255\t24\t100\tNAME', '192.0.2.8,192.0.2.11,30')).toEqual(
      only('45.148.10.0-45.148.10.255', '192.0.2.8-192.0.2.11'),
    );
    expect(read('45.148.10.0 45.148.10.255', '224.0.0.0 239.255.255.255', '2001:db8:: 2001:db8::ff', '192.0.2.4 -192.0.2.5')).toEqual(
      only('45.148.10.0-45.148.10.255', '224.0.0.0-239.255.255.255', '2001:db8::-2001:db8::ff', '192.0.2.4-192.0.2.5'),
    );
  });

  it.each([
    ['192.0.2.9,192.0.2.12', '192.0.2.9', '192.0.2.12'],
    ['192.0.2.20;192.0.2.21;x', '192.0.2.20', '192.0.2.21'],
    ['192.0.2.20; 192.0.2.30 ; x', '192.0.2.20', '192.0.2.30'],
    ['192.0.2.20;2001:db8::1', '192.0.2.20', '2001:db8::1'],
    ['192.0.2.1|192.0.2.2|note', '192.0.2.1', '192.0.2.2'],
    ['192.0.2.8 192.0.2.11 24 100 NAME', '192.0.2.8', '192.0.2.11'],
    ['192.0.2.9 192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['127.0.0.9,127.0.0.10,127.0.0.11', '127.0.0.9', '127.0.0.10', '127.0.0.11'],
    ['127.0.0.20/32,127.0.0.21/32', '127.0.0.20', '127.0.0.21'],
    ['192.0.2.0/31, 198.51.100.0/31', '192.0.2.0-192.0.2.1', '198.51.100.0-198.51.100.1'],
    ['192.0.2.1-192.0.2.2, 192.0.2.7 - 192.0.2.9 192.0.2.20', '192.0.2.1-192.0.2.2', '192.0.2.7-192.0.2.9', '192.0.2.20'],
    ['192.0.2.1 192.0.2.7 to 192.0.2.9, note', '192.0.2.1', '192.0.2.7-192.0.2.9'],
    ['192.0.2.1 2001:db8::1 [2001:db8::2]:443', '192.0.2.1', '2001:db8::1', '2001:db8::2'],
    ['1.2.3.4 200.1.1.1', '1.2.3.4', '200.1.1.1'],
    ['"192.0.2.1","192.0.2.2","note"', '192.0.2.1', '192.0.2.2'],
    ['10.1.0.0 /16, 10.3.0.0 / 16', '10.1.0.0-10.1.255.255', '10.3.0.0-10.3.255.255'],
  ])('has several addresses a line, each by itself: %j', (line, ...ranges) => {
    expect(read(line)).toEqual(only(...ranges));
  });

  it.each([
    ['10.0.0.0 / 8', '10.0.0.0-10.255.255.255'],
    ['10.0.0.0/ 8 note', '10.0.0.0-10.255.255.255'],
    ['10.0.0.0 /8', '10.0.0.0-10.255.255.255'],
    ['10.0.0.1 / 8', '10.0.0.0-10.255.255.255'],
    ['2001:db8:: / 127', '2001:db8::-2001:db8::1'],
  ])('has blanks around the slash of a block: %j', (line, range) => {
    expect(read(line)).toEqual(only(range));
  });

  it.each([
    '2026-01-01 00:00:00,192.0.2.1,443',
    '"2026-01-01 00:00:00","192.0.2.1","443","offline","2026-01-02","Name"',
    '2026-01-01T00:00:00Z;192.0.2.1;x',
    '2026-01-01\t192.0.2.1\tx',
    '1,192.0.2.1',
    '"17" , "192.0.2.1"',
  ])('may have a time or a number in front, as tables do: %j', (line) => {
    expect(read(line)).toEqual(only('192.0.2.1'));
  });

  it.each([
    ['192.0.2.1,192.0.2.300', '192.0.2.1'],
    ['192.0.2.1, 192.0.2.5-9', '192.0.2.1'],
    ['192.0.2.1 note 192.0.2.2', '192.0.2.1'],
    ['192.0.2.1,443,192.0.2.0/24', '192.0.2.1'],
  ])('counts a line of which not every address is understood, and blocks the others: %j', (line, range) => {
    expect(read(line)).toEqual({ ...only(range), skipped: 1 });
  });

  it('may have netmasks, or a prefix in a column of its own', () => {
    expect(
      read('10.9.0.0 255.255.0.0', '10.9.0.0/255.255.0.0', '192.0.2.1,255.255.255.255', '192.0.2.77 255.255.255.0 why', '10.9.0.0 /16'),
    ).toEqual(only('10.9.0.0-10.9.255.255', '10.9.0.0-10.9.255.255', '192.0.2.1', '192.0.2.0-192.0.2.255', '10.9.0.0-10.9.255.255'));
    expect(read('2001:db8:: ffff:ffff::')).toEqual(only('2001:db8::-2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'));
  });

  it.each([
    ['the mask of an access list', '10.9.0.0 0.0.255.255'],
    ['a mask among addresses', '10.9.0.0 10.8.0.0 255.255.0.0'],
    ['two ranges in one', '192.0.2.1-192.0.2.5-192.0.2.9'],
    ['a mask that is an end as well', '64.0.0.0 192.0.0.0'],
    ['a range of the last addresses, or one of them', '240.0.0.0 255.255.255.255'],
    ['everything, or nothing', '0.0.0.0 255.255.255.255'],
  ])('skips and counts what may mean two things: %s', (_name, line) => {
    expect(read('192.0.2.1', line)).toEqual({ ...only('192.0.2.1'), skipped: 1 });
  });

  it('may be a hosts file: what is sent to a sink is refused by name, and the sink is not', () => {
    expect(read('127.0.0.1 localhost', '::1 ip6-localhost ip6-loopback', '0.0.0.0 Ads.Example. tracker.example # two')).toEqual({
      ranges: [],
      names: ['ads.example', 'tracker.example'],
      skipped: 0,
    });
    expect(read('192.0.2.1 evil.example')).toEqual(only('192.0.2.1'));
  });

  it.each([
    ...['192.0.2.1 - scanner seen 2026-01-01', '192.0.2.1\t-\t-\t-\tabuse', '192.0.2.1 -- note', '192.0.2.1 -', '192.0.2.1-'],
    ...['192.0.2.1 \u2014 note', '192.0.2.1 -note', '192.0.2.1 - - 192.0.2.9', '192.0.2.1|note', '192.0.2.1 | note', '192.0.2.1:443'],
    ...['"192.0.2.1"', "'192.0.2.1', why", '"192.0.2.1","first-seen"', '[192.0.2.1]', '[192.0.2.1]:443 note', '- 192.0.2.1'],
  ])('blocks what a line of any dress names: %j', (line) => {
    expect(read(line)).toEqual(only('192.0.2.1'));
  });

  it.each([
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1] - note', '2001:db8::1'],
    ['2001:db8::1 - at 10:20:30', '2001:db8::1'],
    ['[2001:db8::/127]', '2001:db8::-2001:db8::1'],
    ['192.0.2.0/31 - two of them', '192.0.2.0-192.0.2.1'],
    ['192.0.2.1\u2013192.0.2.2', '192.0.2.1-192.0.2.2'],
    ['"192.0.2.1 - 192.0.2.2"', '192.0.2.1-192.0.2.2'],
    ['127.0.0.1 - ourselves', '127.0.0.1'],
    ['192.0.2.1 to 192.0.2.9', '192.0.2.1-192.0.2.9'],
    ['192.0.2.1 THROUGH 192.0.2.9, note', '192.0.2.1-192.0.2.9'],
    ['192.0.2.1 -> "192.0.2.9"', '192.0.2.1-192.0.2.9'],
    ['2001:db8:: .. 2001:db8::f', '2001:db8::-2001:db8::f'],
    ['192.0.2.1 to be watched', '192.0.2.1'],
    ['[2001:db8::]/127', '2001:db8::-2001:db8::1'],
    ['[2001:db8::]/127 note', '2001:db8::-2001:db8::1'],
    ['Some #1, Inc: what:192.0.2.1-192.0.2.9', '192.0.2.1-192.0.2.9'],
    ['192.000.002.001 - 192.000.002.009 , 000 , Some, Inc', '192.0.2.1-192.0.2.9'],
    ['192.000.002.010 - 192.000.002.019', '192.0.2.10-192.0.2.19'],
    ['192.000.002.010-192.000.002.019,127', '192.0.2.10-192.0.2.19'],
  ])('%j is %s', (line, range) => {
    expect(read(line)).toEqual(only(range));
  });

  it.each([
    ...['192.0.2.1-9', '192.0.2.1 - 192.0.2.300', '192.0.2.9 - 192.0.2.1', '192.0.2.0/24 - 192.0.3.0/24', '2001:db8::1-192.0.2.1'],
    ...['192.0.2.1 to 192.0.2.300', 'name:192.0.2.9-192.0.2.1', '192.000.002.009 - 192.000.002.001 , 000 , name'],
  ])('makes no single address of what was meant as a range: %j', (line) => {
    expect(read(line)).toEqual({ ...only(), skipped: 1 });
  });

  it('leaves out what an ipfilter.dat lets pass', () => {
    expect(read('192.000.002.001 - 192.000.002.009 , 200 , name')).toEqual(only());
  });

  it.each([
    ...['"', "'", ' ', ',', ';', '|', '-', '\u2013', '/', '.', ':', '1', 'a', '[', ']', '{', '1.', '1/', ';1.', ':a', '"1', '\t-', 'to '],
  ])('has no lines of more than 4096 characters: of %j', (piece) => {
    const most = `192.0.2.1 ${'x'.repeat(4086)}`;
    const line = (length: number) => `x${piece.repeat(length)}x`.slice(0, length);
    expect(read(most, '', line(100_000))).toEqual({ ...only('192.0.2.1'), skipped: 1 });
    expect(read(`${most}x`, `1${line(100_000)}`, `#${line(100_000)}`)).toEqual({ ...only(), skipped: 2 });
    // What is short enough to be looked at ends, too.
    expect(read(line(4096)).skipped).toBe(1);
  });

  it('takes quotes from the ends alone', () => {
    expect(read(`"'"192.0.2.1'"'`, `19"2.0.2.1`, `"`, `''''`)).toEqual({ ...only('192.0.2.1'), skipped: 3 });
  });

  it('skips and counts what it does not understand', () => {
    expect(read('192.0.2.1', '<html>', '{"cidr":', '{"cidr":7}', '{}', '127.1', '192.0.2.1/99', '0.0.0.0 ht!tp')).toEqual({
      ...only('192.0.2.1'),
      skipped: 7,
    });
  });
});
