/** What libvips gives to the encoder: a frame of AV1 itself may be 65,536 wide and high (AV1 specification, 5.5.1). */
export const MAX_SIDE = 16_384;

/** The encoder takes some 30 bytes a pixel: 2 GB here. */
export const MAX_PIXELS = 2 ** 26;

/** About as good to look at as a jpeg of quality 80, in two thirds of its size. */
export const QUALITY = 60;

/** One step less is larger than webp, and looks worse; one more costs time and hardly saves a byte (README). */
export const EFFORT = 1;
