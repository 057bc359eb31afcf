import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordVirtualTime } from '../../../../plugins/capture/frames/src/record-frames.js';
import { createFrameDropPolicy } from '../../../../plugins/capture/frames/src/frame-drop-policy.js';
import type { VideoPlan } from '../../../../plugins/capture/frames/src/video-plan.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const FILM: VideoPlan = {
  kind: 'video',
  duration: 2,
  framerate: 25,
  frameCount: 50,
  asked: { width: undefined, height: undefined },
  element: undefined,
  limits: { frames: 3_600, bytes: 2 ** 35 },
};

interface Recording {
  readonly drawMs: (frame: number) => number;
  /** Over a frame that nobody looks at. */
  readonly skipMs?: number;
  readonly endsAt: number;
}

async function record({ drawMs, skipMs = 50, endsAt }: Recording) {
  const dropPolicy = createFrameDropPolicy({ video: FILM, endsAt });
  const leftOut: number[] = [];
  let at = 0;
  const recorder = {
    first: Buffer.from('0'),
    next({ draw }: { readonly draw: boolean }) {
      at += 1;
      vi.advanceTimersByTime(draw ? drawMs(at) : skipMs);
      return Promise.resolve(draw ? Buffer.from(String(at)) : undefined);
    },
  };
  const frames: number[] = [];
  const started = performance.now();
  const activity = { playing: false, realTime: false };
  for await (const frame of recordVirtualTime({ recorder, activity, video: FILM, dropPolicy, onDropped: (count) => leftOut.push(count) })) {
    frames.push(Number(frame.toString()));
  }
  return { frames, leftOut, ms: performance.now() - started };
}

const inTime = (ms: number) => performance.now() + ms;
const ALL = Array.from({ length: 50 }, (_, frame) => frame);

describe('a film on a slow machine', () => {
  it('has every frame, as long as the render has time for all of them', async () => {
    expect(await record({ drawMs: () => 500, endsAt: inTime(32_000) })).toMatchObject({ frames: ALL, leftOut: [] });
  });

  it('has every frame of a render without a timeout, however long that takes', async () => {
    expect(await record({ drawMs: () => 9_000, endsAt: Infinity })).toMatchObject({ frames: ALL, leftOut: [], ms: 49 * 9_000 });
  });

  it('has every frame where the first, and now and then another, is slow', async () => {
    const drawMs = (frame: number) => (frame % 15 === 1 ? 4_000 : 200);
    expect(await record({ drawMs, endsAt: inTime(32_000) })).toMatchObject({ frames: ALL, leftOut: [] });
  });

  it('has every frame again once a slow beginning is over', async () => {
    const { frames, leftOut } = await record({ drawMs: (frame) => (frame < 10 ? 1_000 : 100), endsAt: inTime(32_000) });
    expect(frames.slice(25)).toEqual(ALL.slice(25));
    expect(leftOut[0]).toBeLessThan(10);
  });

  it.each([
    ['a little too slow', () => 600, 50],
    ['too slow by half', () => 800, 200],
    ['far too slow', () => 2_000, 20],
    ['too slow, and uneven', (frame: number) => 1_000 + 400 * Math.sin(frame * 7), 50],
    ['too slow, with frames that are held up', (frame: number) => (frame % 11 === 5 ? 2_500 : 700), 50],
  ])('that is %s drops frames evenly from its beginning, and reports how many', async (_how, drawMs, skipMs) => {
    const { frames, leftOut, ms } = await record({ drawMs, skipMs, endsAt: inTime(32_000) });
    const dropped = frames.filter((frame, index) => frame !== index);
    expect(frames).toHaveLength(50);
    expect(leftOut).toEqual([dropped.length]);
    expect(ms).toBeLessThan(32_000);
    // No frame shows another's moment, and no gap is longer than the whole video's share of dropped frames asks for.
    const longest = Math.max(...frames.map((frame, index) => index - frame));
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(Math.ceil(50 / (50 - dropped.length)));
  });
});
