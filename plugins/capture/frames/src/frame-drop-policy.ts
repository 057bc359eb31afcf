import type { VideoPlan } from './video-plan.js';
import { RESERVE_SHARE } from './limits.js';

/** Decides which frames are drawn when the machine is too slow to draw all of them before the render's deadline. */
export interface FrameDropPolicy {
  /** Whether the frame is drawn. Called for each frame after the first, in order. */
  draws(frame: number): boolean;
  /** Reports how long the frame of the last decision took, in milliseconds. */
  took(ms: number): void;
  readonly dropped: number;
}

export interface FrameDropOptions {
  readonly video: Pick<VideoPlan, 'frameCount'>;
  /** The render's deadline, by performance.now(). */
  readonly endsAt: number;
}

/** Number of frames whose times are used to estimate the next one's. */
const RECENT = 10;

/**
 * Draws all frames as long as there is time for them. Once two frames are measured, the recent frame times are compared with the time left
 * per remaining frame. If it is not enough, as many frames as fit are drawn, spread evenly over the rest of the video.
 */
export function createFrameDropPolicy({ video: { frameCount }, endsAt }: FrameDropOptions): FrameDropPolicy {
  const until = endsAt - (endsAt - performance.now()) * RESERVE_SHARE;
  const times = { drawn: [] as number[], dropped: [] as number[] };
  let credit = 0;
  let dropped = 0;
  let last: keyof typeof times = 'drawn';

  const decide = (frame: number): boolean => {
    const each = (until - performance.now()) / (frameCount - frame);
    const drawn = estimate(times.drawn);
    if (each >= drawn) return true;
    const skipped = Math.min(estimate(times.dropped), drawn, each);
    credit += (each - skipped) / (drawn - skipped);
    if (credit < 1) return false;
    credit -= 1;
    return true;
  };

  return {
    draws(frame) {
      const draws = endsAt === Infinity || decide(frame);
      last = draws ? 'drawn' : 'dropped';
      if (!draws) dropped += 1;
      return draws;
    },
    took(ms) {
      times[last] = [...times[last], ms].slice(-RECENT);
    },
    get dropped() {
      return dropped;
    },
  };
}

/**
 * The mean without the slowest: the first frame, and a frame delayed by a busy machine, say little about the others. 0 if too few are
 * known.
 */
function estimate(times: readonly number[]): number {
  if (times.length < 2) return 0;
  return (times.reduce((sum, ms) => sum + ms, 0) - Math.max(...times)) / (times.length - 1);
}
