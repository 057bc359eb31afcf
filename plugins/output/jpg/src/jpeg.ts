/** libjpeg's JPEG_MAX_DIMENSION, which the browser and libvips share: the format's own limit is 65,535. */
export const MAX_SIDE = 65_500;

/** Also the browser's default. */
export const QUALITY = 80;
