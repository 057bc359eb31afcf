import { Profile } from 'pprof-format';
import { describe, expect, it } from 'vitest';
import { encodePprof } from '../../../../plugins/output/pprof/src/encode-pprof.js';
import type { Frame } from '../../../../plugins/output/pprof/src/stack.js';

const frame = (name: string, line: number, more: Partial<Frame> = {}): Frame => ({
  ...{ name, url: 'http://site.test/a.js', startLine: line, startColumn: 5, line, column: 5 },
  ...more,
});

const encode = (stacks: readonly { readonly frames: readonly Frame[] }[], url = 'http://site.test/page?query') =>
  Profile.decode(
    encodePprof({
      sampleTypes: [
        { type: 'samples', unit: 'count' },
        { type: 'cpu', unit: 'nanoseconds' },
      ],
      periodType: { type: 'cpu', unit: 'nanoseconds' },
      period: 1_000_000,
      startedAt: new Date('2026-01-02T03:04:05.678Z'),
      durationMs: 1.5,
      url,
      parts: [{ target: 'page', url, stacks: stacks.map(({ frames }, index) => ({ frames, values: [index, 2 ** 40] as const })) }],
    }),
  );

describe('a profile in the form of profile.proto', () => {
  it('has lines and columns of its own for each place, and one function for all places in it', () => {
    const {
      location,
      function: functions,
      stringTable,
    } = encode([
      { frames: [frame('inner', 10, { line: 12, column: 0 }), frame('outer', 3)] },
      { frames: [frame('inner', 10), frame('outer', 3)] },
    ]);
    expect(
      functions.map(({ name, filename, startLine }) => [
        stringTable.strings[Number(name)],
        stringTable.strings[Number(filename)],
        startLine,
      ]),
    ).toEqual([
      ['inner', 'http://site.test/a.js', 10],
      ['outer', 'http://site.test/a.js', 3],
    ]);
    expect(location.map(({ id, line: [at] }) => [id, at?.functionId, at?.line, at?.column])).toEqual([
      [1, 1, 12, 0],
      [2, 2, 3, 5],
      [3, 1, 10, 5],
    ]);
  });

  it('keeps apart functions of one name that begin in different columns of a line', () => {
    expect(encode([{ frames: [frame('a', 1)] }, { frames: [frame('a', 1, { startColumn: 90, column: 90 })] }]).function).toHaveLength(2);
  });

  it('says when, how long and how often', () => {
    const { timeNanos, durationNanos, period, sample, stringTable } = encode([{ frames: [frame('a', 1)] }]);
    expect([BigInt(timeNanos), durationNanos, period]).toEqual([1_767_323_045_678_000_000n, 1_500_000, 1_000_000]);
    expect(sample[0]?.value.map(Number)).toEqual([0, 2 ** 40]);
    expect(stringTable.strings[0]).toBe('');
  });

  it('names a document of a data URL without its content', () => {
    const { stringTable } = encode(
      [{ frames: [frame('a', 1, { url: 'data:text/html,<script>secret()</script>' })] }],
      'data:text/html,<p>secret',
    );
    expect(stringTable.strings.filter((text) => text.includes('data:'))).toEqual(['data:text/html,…', 'data:']);
    expect(stringTable.strings.join()).not.toContain('secret');
  });
});
