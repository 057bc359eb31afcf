import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { QUALITY } from './jpeg.js';

/** Passes the browser's own JPEG through; a screenshot captured in tiles is encoded here. */
export async function encodeJpg({ format, data }: ScreenshotCapture, { signal }: EncodeContext): Promise<Output> {
  const body = format === 'jpeg' ? data : await encodeTiled(data, signal);
  return { contentType: 'image/jpeg', extension: 'jpg', body };
}

async function encodeTiled(data: ScreenshotCapture['data'], signal: AbortSignal): Promise<Buffer> {
  try {
    return await encodeRaster(data, { format: 'jpeg', quality: QUALITY, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the jpg could not be encoded', { cause });
  }
}
