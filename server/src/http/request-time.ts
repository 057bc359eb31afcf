/** Time limit from a request's first byte to its last. */
export const REQUEST_TIMEOUT_MS = 300_000;
