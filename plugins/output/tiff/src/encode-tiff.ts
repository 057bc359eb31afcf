import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

export async function encodeTiff({ data }: ScreenshotCapture, { signal }: EncodeContext): Promise<Output> {
  try {
    return { contentType: 'image/tiff', extension: 'tiff', body: await encodeRaster(data, { format: 'tiff', signal }) };
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the tiff could not be encoded', { cause });
  }
}
