/** Value of the label `format` without an output type: `/status`, or a request refused before validation. */
export const NO_FORMAT = 'none';

/** Seconds: from a cached response to a long video. */
export const DURATION_BUCKETS = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120] as const;
