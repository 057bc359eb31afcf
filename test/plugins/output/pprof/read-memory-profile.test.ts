import { describe, expect, it } from 'vitest';
import { readMemoryProfile } from '../../../../plugins/output/pprof/src/describe-profile.js';
import type { MemoryProfile } from '../../../../plugins/output/pprof/src/stack.js';

type Node = MemoryProfile['head'];

const node = (id: number, functionName: string, selfSize: number, children: Node[] = []): Node => ({
  id,
  selfSize,
  children,
  callFrame: {
    functionName,
    scriptId: '1',
    url: functionName.startsWith('(') ? '' : 'http://site.test/a.js',
    lineNumber: id,
    columnNumber: 0,
  },
});

const read = (head: Node, samples: MemoryProfile['samples'] = [], own: ReadonlySet<string> = new Set()) =>
  readMemoryProfile({ head, samples }, own)
    .map(({ frames, values }) => [frames.map(({ name }) => name).join(' < '), ...values])
    .sort();

describe('a memory profile', () => {
  it("leaves out what Platen's own scripts hold", () => {
    const own = node(2, 'look', 100, [node(3, '(native)', 50)]);
    const look = { ...own, callFrame: { ...own.callFrame, url: '', scriptId: '7' } };
    const head = node(1, '(root)', 0, [look, node(4, 'kept', 200)]);
    expect(read(head, [], new Set(['7']))).toEqual([['kept', 0, 200]]);
    expect(read(head, [], new Set(['8']))).toHaveLength(3);
  });

  it('has the bytes in use by the stack that allocated them, with the samples that tell of them', () => {
    const head = node(1, '(root)', 0, [node(2, '', 100, [node(3, 'keep', 65_536)]), node(4, '(V8 API)', 10)]);
    const samples = [3, 3, 2].map((nodeId, ordinal) => ({ nodeId, ordinal, size: 32_768 }));
    expect(read(head, samples)).toEqual([
      ['(V8 API)', 0, 10],
      ['(anonymous)', 1, 100],
      ['keep < (anonymous)', 2, 65_536],
    ]);
  });

  it('leaves out functions that keep nothing, and the root', () => {
    expect(read(node(1, '(root)', 12, [node(2, 'none', 0, [node(3, 'some', 8)])]))).toEqual([['some < none', 0, 8]]);
  });
});
