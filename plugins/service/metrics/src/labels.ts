/** The label `format` where no output type is known: `/status`, or a request that was refused before it named one. */
export const NO_FORMAT = 'none';

/** Seconds: from a cached answer to a long film. */
export const DURATION_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;
