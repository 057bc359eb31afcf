/** Bytes of an image that is embedded; a larger one keeps its URL. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** Bytes of all images that are embedded, each as often as it stands in the document. */
export const MOST_IMAGES_BYTES = 32 * 1024 * 1024;

/** Characters of HTML that are converted at once, of an article or of what costs as much; more of it, which would keep all else waiting for more than some 20 ms, goes to a thread. */
export const MOST_AT_ONCE = 32 * 1024;

/** Milliseconds for which a thread without work waits for more. */
export const IDLE_MS = 30_000;

/** MiB of a thread: a page of 20 MB of HTML takes 1.7 GB, and what would take more is not to end the server. */
export const OLD_MIB = 2048;

/** MiB: the nodes of a page of some 100 KB of HTML, which all live until its end, fit without being copied time and again. */
export const YOUNG_MIB = 96;
