/** Average duration of recent renders. */
export interface RenderTimeAverage {
  note(ms: number): void;
  /** Estimated seconds until one of `slots` is free behind `ahead` other renders; 1 to 600. */
  secondsUntilFree(slots: number, ahead: number): number;
}

/** Weight of the latest render: about the last dozen count. */
const WEIGHT = 0.15;
/** Assumed milliseconds before the first render has finished. */
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
