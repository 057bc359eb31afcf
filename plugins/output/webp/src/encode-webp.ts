import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import type { PixelCapture } from '@platen/plugin-pixels';

const QUALITY = 80;

/** Encoded outside the browser on purpose: its own webp encoder holds the slot about twice as long (README). */
export async function encodeWebp({ data }: PixelCapture, { signal }: EncodeContext): Promise<Output> {
  try {
    const body = await encodeRaster(data, { format: 'webp', quality: QUALITY, effort: 0, signal });
    return { contentType: 'image/webp', extension: 'webp', body };
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the webp could not be encoded', { cause });
  }
}
