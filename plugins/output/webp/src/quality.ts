/** Of libwebp's 0 to 100, for still and animated pictures. */
export const QUALITY = 80;
