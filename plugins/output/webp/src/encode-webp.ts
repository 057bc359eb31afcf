import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeRaster } from '@platen/lib-raster';
import type { FramesCapture } from '@platen/plugin-frames';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { encodeAnimatedWebp } from './encode-animated-webp.js';
import { EFFORT, QUALITY } from './quality.js';

/** Still or animated, depending on the capture. */
export async function encodeWebp(capture: ScreenshotCapture | FramesCapture, context: EncodeContext): Promise<Output> {
  const body = 'frames' in capture ? await encodeAnimatedWebp(capture, context) : await encodeStill(capture, context);
  return { contentType: 'image/webp', extension: 'webp', body };
}

/** Encoded outside the browser on purpose: its own WebP encoder occupies the slot about twice as long (README). */
async function encodeStill({ data }: ScreenshotCapture, { signal }: EncodeContext): Promise<Buffer> {
  try {
    return await encodeRaster(data, { format: 'webp', quality: QUALITY, effort: EFFORT, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PlatenError('encode_failed', 'the webp could not be encoded', { cause });
  }
}
