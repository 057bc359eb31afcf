/** libwebp's scale of 0 to 100, for still and animated images. */
export const QUALITY = 80;

/** libwebp's scale of 0 to 6: the next step takes twice the time for a twentieth of the bytes (README). */
export const EFFORT = 2;
