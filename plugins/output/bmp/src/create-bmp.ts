import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { decodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { encodeBmp } from './encode-bmp.js';
import type { BmpParams } from './params.js';
import { PIXEL_FORMATS } from './pixel-formats.js';

export async function createBmp({ data }: ScreenshotCapture, { params, signal }: EncodeContext<BmpParams>): Promise<Output> {
  try {
    const pixels = await decodeRaster(data, { signal });
    const body = await encodeBmp(pixels, PIXEL_FORMATS[params.bmp_pixel_format ?? 'bgr24']);
    return { contentType: 'image/bmp', extension: 'bmp', body };
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the bmp could not be encoded', { cause });
  }
}
