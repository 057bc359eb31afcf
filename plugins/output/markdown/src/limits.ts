/** Bytes of an embedded image; a larger image keeps its URL. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** Bytes of all embedded images, each counted as often as it occurs in the document. */
export const MOST_IMAGES_BYTES = 32 * 1024 * 1024;

/**
 * Characters of HTML (or equivalent cost) that are converted on the event loop; larger documents, which would block it for more than some
 * 20 ms, go to a thread.
 */
export const MOST_AT_ONCE = 32 * 1024;

/** Milliseconds that an idle thread waits for more work. */
export const IDLE_MS = 30_000;

/** MiB of a thread: a page of 20 MB of HTML takes 1.7 GB, and a larger one must not crash the server. */
export const OLD_MIB = 2048;

/** MiB: the nodes of a page of some 100 KB of HTML, which all live until its end, fit without repeated copying. */
export const YOUNG_MIB = 96;
