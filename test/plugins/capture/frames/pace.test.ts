import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filmVirtual } from '../../../../plugins/capture/frames/src/film-frames.js';
import { createPace } from '../../../../plugins/capture/frames/src/pace.js';
import type { Film } from '../../../../plugins/capture/frames/src/film.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const FILM: Film = {
  kind: 'video',
  duration: 2,
  framerate: 25,
  frameCount: 50,
  asked: { width: undefined, height: undefined },
  element: undefined,
  limits: { frames: 3_600, bytes: 2 ** 35 },
};

/** Films by a camera that takes so long over a frame, and a quarter of it over one that nobody looks at. */
async function shoot({ drawMs, endsAt }: { readonly drawMs: (frame: number) => number; readonly endsAt: number }) {
  const pace = createPace({ film: FILM, endsAt });
  const leftOut: number[] = [];
  let at = 0;
  const camera = {
    first: Buffer.from('0'),
    next({ draw }: { readonly draw: boolean }) {
      at += 1;
      vi.advanceTimersByTime(draw ? drawMs(at) : drawMs(at) / 4);
      return Promise.resolve(draw ? Buffer.from(String(at)) : undefined);
    },
  };
  const frames: number[] = [];
  const started = performance.now();
  const activity = { playing: false, realTime: false };
  for await (const frame of filmVirtual({ camera, activity, film: FILM, pace, onLeftOut: (count) => leftOut.push(count) })) {
    frames.push(Number(frame.toString()));
  }
  return { frames, leftOut, ms: performance.now() - started };
}

const inTime = (ms: number) => performance.now() + ms;
const ALL = Array.from({ length: 50 }, (_, frame) => frame);

describe('a film on a slow machine', () => {
  it('has every frame, as long as the render has time for all of them', async () => {
    expect(await shoot({ drawMs: () => 500, endsAt: inTime(32_000) })).toMatchObject({ frames: ALL, leftOut: [] });
  });

  it('has every frame of a render without a timeout, however long that takes', async () => {
    expect(await shoot({ drawMs: () => 9_000, endsAt: Infinity })).toMatchObject({ frames: ALL, leftOut: [], ms: 49 * 9_000 });
  });

  it('has every frame where only the beginning is slow', async () => {
    expect(await shoot({ drawMs: (frame) => (frame < 10 ? 1_000 : 100), endsAt: inTime(32_000) })).toMatchObject({
      frames: ALL,
      leftOut: [],
    });
  });

  it('leaves frames out, evenly, where it would not end in time, and says how many', async () => {
    const { frames, leftOut, ms } = await shoot({ drawMs: () => 800, endsAt: inTime(32_000) });
    const repeated = frames.filter((frame, index) => frame !== index);
    expect(frames).toHaveLength(50);
    expect(repeated.length).toBeGreaterThan(10);
    expect(leftOut).toEqual([repeated.length]);
    expect(ms).toBeLessThan(32_000);
    // No drawn frame shows another's moment, and no gap grows to a still picture.
    for (const [index, frame] of frames.entries()) expect(index - frame).toBeLessThanOrEqual(3);
  });
});
