import { describe, expect, it } from 'vitest';
import { readCpuProfile } from '../../../../plugins/output/pprof/src/read-cpu-profile.js';
import type { CpuProfile } from '../../../../plugins/output/pprof/src/stack.js';

const frame = (functionName: string, lineNumber = -1, url = lineNumber < 0 ? '' : 'http://site.test/a.js') => ({
  functionName,
  scriptId: '1',
  url,
  lineNumber,
  columnNumber: lineNumber < 0 ? -1 : 4,
});

const nodes: CpuProfile['nodes'] = [
  { id: 1, callFrame: frame('(root)'), children: [2, 3, 4, 6] },
  { id: 2, callFrame: frame('(program)') },
  { id: 3, callFrame: frame('(idle)') },
  { id: 4, callFrame: frame('', 9), children: [5] },
  { id: 5, callFrame: frame('hot', 19) },
  { id: 6, callFrame: frame('(garbage collector)') },
];

const profile = (samples: number[], timeDeltas: number[], more: Partial<CpuProfile> = {}): CpuProfile => ({
  nodes,
  startTime: 1000,
  endTime: 2000,
  samples,
  timeDeltas,
  ...more,
});

/** Innermost names first, with both values. */
const table = (read: ReturnType<typeof readCpuProfile>) =>
  read.stacks.map(({ frames, values }) => [frames.map(({ name }) => name).join(' < '), ...values]);

describe('a CPU profile', () => {
  it("leaves out Platen's own scripts and what they called", () => {
    const own: CpuProfile['nodes'] = [
      { id: 1, callFrame: frame('(root)'), children: [2, 4] },
      { id: 2, callFrame: frame('look', 3, 'platen:script'), children: [3] },
      { id: 3, callFrame: frame('matches') },
      { id: 4, callFrame: frame('hot', 19) },
    ];
    expect(table(readCpuProfile(profile([2, 3, 4], [100, 100, 100], { nodes: own })))).toEqual([['hot', 1, 700_000]]);
  });

  it('gives each sample the time until the next one, and the last the time until the end', () => {
    expect(table(readCpuProfile(profile([5, 5, 2], [100, 200, 300])))).toEqual([
      ['hot < (anonymous)', 2, 500_000],
      ['(program)', 1, 400_000],
    ]);
  });

  it('leaves out what was idle, and the root; the browser and the garbage collector work', () => {
    const read = readCpuProfile(profile([3, 1, 6, 2, 3], [0, 100, 100, 100, 100]));
    expect(table(read)).toEqual([
      ['(garbage collector)', 1, 100_000],
      ['(program)', 1, 100_000],
    ]);
  });

  it('puts samples in order that the sampling thread took out of order', () => {
    expect(table(readCpuProfile(profile([2, 5, 2], [100, 300, -200])))).toEqual([
      ['(program)', 2, 300_000],
      ['hot < (anonymous)', 1, 600_000],
    ]);
  });

  it('leaves out samples from before the final page', () => {
    const read = readCpuProfile(profile([5, 5, 2], [100, 200, 300]), { from: 1300 });
    expect([table(read), read.start, read.end]).toEqual([
      [
        ['hot < (anonymous)', 1, 300_000],
        ['(program)', 1, 400_000],
      ],
      1300,
      2000,
    ]);
  });

  it('counts lines and columns from 1, and knows none of what is not a script', () => {
    const [anonymous, program] = readCpuProfile(profile([4, 2], [0, 10])).stacks.map(({ frames }) => frames[0]);
    expect(anonymous).toEqual({
      name: '(anonymous)',
      url: 'http://site.test/a.js',
      startLine: 10,
      startColumn: 5,
      line: 10,
      column: 5,
    });
    expect(program).toMatchObject({ url: '', startLine: 0, startColumn: 0, line: 0, column: 0 });
  });

  it('divides what fell to a function among its lines, without loss', () => {
    const ticks = [
      { line: 21, ticks: 1 },
      { line: 22, ticks: 2 },
    ];
    const lined = nodes.map((node) => (node.id === 5 ? { ...node, positionTicks: ticks } : node));
    const { stacks } = readCpuProfile(profile([5, 5, 5], [0, 333, 333], { nodes: lined }));
    expect(stacks.map(({ frames: [top], values }) => [top?.line, top?.column, top?.startLine, ...values])).toEqual([
      [21, 0, 20, 1, 333_333],
      [22, 0, 20, 2, 666_667],
    ]);
    expect(stacks.every(({ frames }) => frames[1]?.line === 10)).toBe(true);
  });

  it('may be without any sample', () => {
    expect(readCpuProfile({ nodes, startTime: 5, endTime: 9 })).toEqual({ stacks: [], start: 5, end: 9 });
  });
});
