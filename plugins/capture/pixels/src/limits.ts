/** Largest `image_width` and `image_height`. */
export const MAX_OUTPUT_SIDE = 16_384;

/** Pixels of the largest picture, whatever its format: also what libvips decodes without being told otherwise. */
export const MAX_PIXELS = 16_383 ** 2;

/** Pixels of the largest picture that is captured in one piece: 134 MB in the browser. Above, tiles bound the memory and cost a stitching. */
export const SINGLE_CAPTURE_PIXELS = 2 ** 25;

/** Pixels of a tile: 33 MB in the browser. */
export const TILE_PIXELS = 2 ** 23;

/**
 * Device pixels of the highest viewport that is captured as it is. From about 40,000 on the browser leaves parts of a high
 * viewport unpainted; beyond an ordinary viewport it paints all of it.
 */
export const MAX_VIEWPORT_PIXELS = 16_384;

/** Milliseconds that the first of `full_page`'s two loads gets before it is measured as it stands. */
export const FIRST_LOAD_MS = 5_000;
