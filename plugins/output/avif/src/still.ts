/** libvips's limit for its encoder: a frame of AV1 itself may be 65,536 wide and high (AV1 specification, 5.5.1). */
export const MAX_SIDE = 16_384;

/** The encoder uses some 30 bytes per pixel: 2 GB here. */
export const MAX_PIXELS = 2 ** 26;

/** Looks about as good as a JPEG of quality 80, in two thirds of its size. */
export const QUALITY = 60;

/** One step less is larger than WebP and looks worse; one step more costs time and hardly saves a byte (README). */
export const EFFORT = 1;
