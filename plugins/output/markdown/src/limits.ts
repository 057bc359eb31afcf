/** Bytes of an image that is embedded; a larger one keeps its URL. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** Bytes of all images that are embedded, each as often as it stands in the document. */
export const MOST_IMAGES_BYTES = 32 * 1024 * 1024;

/** Characters of HTML that are converted at once; more of it, which would keep all else waiting for more than some 20 ms, goes to a thread. */
export const MOST_AT_ONCE = 32 * 1024;

/** Milliseconds for which a thread without work waits for more. */
export const IDLE_MS = 30_000;

/** MiB: the nodes of a page of some 100 KB of HTML, which all live until its end, fit without being copied time and again. */
export const YOUNG_MIB = 96;
