/** How long renders take these days. */
export interface RenderTimeAverage {
  note(ms: number): void;
  /** Seconds until one of `slots` is free for who has `ahead` others before them; at least 1, at most 600. */
  secondsUntilFree(slots: number, ahead: number): number;
}

/** The weight of the latest render: the last dozen decide. */
const WEIGHT = 0.15;
/** Before the first render is over nobody knows. */
const FIRST_GUESS_MS = 1_000;
const LONGEST_S = 600;

/** An exponential moving average. */
export function createRenderTimeAverage(): RenderTimeAverage {
  let average: number | undefined;
  return {
    note(ms) {
      average = average === undefined ? ms : average + WEIGHT * (ms - average);
    },
    secondsUntilFree(slots, ahead) {
      const seconds = (((average ?? FIRST_GUESS_MS) / 1000) * (ahead + 1)) / slots;
      return Math.min(LONGEST_S, Math.max(1, Math.ceil(seconds)));
    },
  };
}
