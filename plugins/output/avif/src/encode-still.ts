import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { EFFORT, QUALITY } from './still.js';

export async function encodeStill({ data }: ScreenshotCapture, { signal }: EncodeContext): Promise<Output> {
  try {
    const body = await encodeRaster(data, { format: 'avif', quality: QUALITY, effort: EFFORT, signal });
    return { contentType: 'image/avif', extension: 'avif', body };
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the avif could not be encoded', { cause });
  }
}
