import type { Film } from './film.js';
import { RESERVE_SHARE } from './limits.js';

/** Decides which frames are drawn where the machine is too slow for all of them to be drawn before the render's time is up. */
export interface Pace {
  /** Whether the frame is drawn; asked for each after the first, in order. */
  draws(frame: number): boolean;
  /** Says how long the frame took that was last decided, in milliseconds. */
  took(ms: number): void;
  readonly leftOut: number;
}

export interface PaceOptions {
  readonly film: Pick<Film, 'frameCount'>;
  /** When the render's time is up, by performance.now(). */
  readonly endsAt: number;
}

/** Weight of the newest frame in the mean: what else the machine does comes and goes. */
const NEWEST = 0.3;

/**
 * All frames are drawn as long as there is time for them. While more than half of the time is left, that is not even asked: a slow
 * beginning says little. Past that, where the frames to come would take longer than what is left, as many of them as fit are
 * drawn, spread evenly.
 */
export function createPace({ film: { frameCount }, endsAt }: PaceOptions): Pace {
  const allowed = (endsAt - performance.now()) * (1 - RESERVE_SHARE);
  const until = performance.now() + allowed;
  const means = { drawn: 0, leftOut: 0 };
  let credit = 0;
  let leftOut = 0;
  let last: keyof typeof means = 'drawn';

  const decide = (frame: number): boolean => {
    const left = until - performance.now();
    const each = left / (frameCount - frame);
    if (left > allowed / 2 || each >= means.drawn) return true;
    credit += Math.max(0, each - means.leftOut) / (means.drawn - Math.min(means.leftOut, each));
    if (credit < 1) return false;
    credit -= 1;
    return true;
  };

  return {
    draws(frame) {
      const draws = allowed === Infinity || decide(frame);
      last = draws ? 'drawn' : 'leftOut';
      if (!draws) leftOut += 1;
      return draws;
    },
    took(ms) {
      means[last] = means[last] === 0 ? ms : means[last] + NEWEST * (ms - means[last]);
    },
    get leftOut() {
      return leftOut;
    },
  };
}
