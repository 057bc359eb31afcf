import { describe, expect, it } from 'vitest';
import { createEventTrimmer } from '../../../../plugins/output/trace/src/write-trace.js';

function trim(events: readonly object[], from: number): unknown[] {
  const keep = createEventTrimmer(from);
  return events.flatMap((event) => {
    const kept = keep(JSON.stringify(event));
    return kept === undefined ? [] : [JSON.parse(kept)];
  });
}

const chunk = (ts: number, data: object, id = '0x1') => ({ name: 'ProfileChunk', ph: 'P', pid: 1, id, ts, args: { data } });

describe('a trace trimmed to its final page', () => {
  it('keeps what happened from its beginning on, and what names processes and threads', () => {
    const events = [
      { name: 'thread_name', ph: 'M', ts: 0 },
      { name: 'early', ph: 'X', ts: 99 },
      { name: 'navigationStart', ph: 'R', ts: 100 },
      { name: 'late', ph: 'X', ts: 101 },
    ];
    expect(trim(events, 100)).toEqual([events[0], events[2], events[3]]);
  });

  it('keeps the frames at its start, which begin the time line', () => {
    const started = { name: 'TracingStartedInBrowser', ph: 'I', ts: 5, args: { data: { frames: [{ frame: 'A' }] } } };
    expect(trim([started], 100)).toEqual([{ ...started, ts: 100 }]);
    expect(trim([{ ...started, ts: 200 }], 100)).toEqual([{ ...started, ts: 200 }]);
  });

  it('keeps the nodes of CPU profiles, without the samples of earlier pages, and the times of the others', () => {
    const profile = { name: 'Profile', ph: 'P', pid: 1, id: '0x1', ts: 1, args: { data: { startTime: 1 } } };
    const kept = trim(
      [
        profile,
        chunk(50, { cpuProfile: { nodes: [{ id: 1 }], samples: [1, 1] }, timeDeltas: [10, 20], lines: [1, 2] }),
        chunk(60, { cpuProfile: { samples: [1] }, timeDeltas: [10] }),
        chunk(55, { cpuProfile: { nodes: [{ id: 9 }], samples: [9] }, timeDeltas: [7] }, '0x2'),
        chunk(150, { cpuProfile: { nodes: [{ id: 2, parent: 1 }], samples: [2, 2] }, timeDeltas: [70, 5] }),
        chunk(160, { cpuProfile: { samples: [2] }, timeDeltas: [30] }),
      ],
      100,
    );
    expect(kept).toEqual([
      profile,
      chunk(50, { cpuProfile: { nodes: [{ id: 1 }] } }),
      chunk(55, { cpuProfile: { nodes: [{ id: 9 }] } }, '0x2'),
      chunk(150, { cpuProfile: { nodes: [{ id: 2, parent: 1 }], samples: [2, 2] }, timeDeltas: [110, 5] }),
      chunk(160, { cpuProfile: { samples: [2] }, timeDeltas: [30] }),
    ]);
  });
});
