/** Largest `image_width` and `image_height`. */
export const MAX_OUTPUT_SIDE = 16_384;

/**
 * Pixels of the largest screenshot that is captured in one piece: 134 MB in the browser. Above that, tiles limit the memory, at the cost
 * of stitching.
 */
export const SINGLE_CAPTURE_PIXELS = 2 ** 25;

/** Pixels of a tile: 33 MB in the browser. */
export const TILE_PIXELS = 2 ** 23;

/** Milliseconds for the first of `full_page`'s two loads. After that, the page is measured as it is. */
export const FIRST_LOAD_MS = 5_000;

/** Device pixels of the highest viewport in which an element is shown: the height up to which the browser reliably paints an element. */
export const MAX_VIEWPORT_SIDE = 16_384;

/** Milliseconds that cross-site iframes get to draw when they come into view. */
export const FRAMES_DRAW_MS = 1_000;

/** Milliseconds for content that appears with a transition when its strip comes into view. */
export const STRIP_SETTLES_MS = 2_000;

/** Milliseconds from the first strip on, after which no strip waits any more: content that never draws would cost a second per strip. */
export const SCROLL_WAITS_MS = 10_000;

/** Part of the viewport, around its middle, in which pieces of a high element are captured if scrolling animates it. */
export const MIDDLE = 0.5;

/**
 * Part of the viewport in which several such elements are captured together: all are near the middle. It is larger if there would be too
 * many strips.
 */
export const TOGETHER = 0.25;
export const MOST_STRIPS = 40;

/** Milliseconds after which an element is not captured again because its box has changed meanwhile. */
export const CHANGES_MS = 2_000;
