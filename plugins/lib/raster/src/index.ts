export { decodeRaster, type DecodeOptions, type RasterPixels } from './decode-raster.js';
export { encodeRaster, type RasterFormat, type RasterOptions } from './encode-raster.js';
export { encodeSlots } from './encode-slots.js';
export { MAX_INPUT_PIXELS } from './load-sharp.js';
