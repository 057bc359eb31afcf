export { decodeRaster, type RgbPixels } from './decode-raster.js';
export { encodeRaster, type RasterFormat, type RasterOptions } from './encode-raster.js';
export { MAX_INPUT_PIXELS } from './load-sharp.js';
