import { definePlugin, type EncodeContext, type EncodedOutput, type PlanView } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { encodeOutput, encodeRaster } from '@platen/lib-raster';
import type { FramesCapture } from '@platen/plugin-frames';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';
import { ANIMATED_AVIF, encodeAnimatedAvif } from './encode-animated-avif.js';

/** libvips's limit for its encoder: a frame of AV1 itself may be 65,536 wide and high (AV1 specification, 5.5.1). */
const MAX_SIDE = 16_384;

/** The encoder uses some 30 bytes per pixel: 2 GB here. */
const MAX_PIXELS = 2 ** 26;

/** Looks about as good as a JPEG of quality 80, in two thirds of its size. */
const QUALITY = 60;

/** One step less is larger than WebP and looks worse; one step more costs time and hardly saves a byte (test/bench/outputs.md). */
const EFFORT = 1;

export default definePlugin({
  name: 'avif',
  requires: ['screenshot', 'frames', 'ffmpeg'],
  outputs: [
    {
      type: 'avif',
      from: ['screenshot', 'frames'],
      contentType: 'image/avif',
      extension: 'avif',
      captureOptions: {
        maxWidth: MAX_SIDE,
        maxHeight: MAX_SIDE,
        maxPixels: MAX_PIXELS,
        recording: 'optional',
        frameFormat: 'png',
        adjusts: ['image_quality', 'image_lossless', 'image_transparent'],
      },
    },
  ],
  planFor: { output: 'avif' },
  validatePlan({ params, captureKind, refuse }: PlanView) {
    if (captureKind !== 'frames' || params['image_transparent'] !== true) return;
    refuse('image_transparent', '"image_transparent" cannot be used with an animated avif: omit "image_duration", or use webp');
  },
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'avif', for: { output: 'avif' } }, (context) => requireFormat(ANIMATED_AVIF, context));
    hooks.encode.for('avif').tapPromise('avif', encodeAvif);
  },
});

/** Still or animated, depending on the capture. */
export async function encodeAvif(capture: ScreenshotCapture | FramesCapture, context: EncodeContext): Promise<EncodedOutput> {
  const body = 'frames' in capture ? await encodeAnimatedAvif(capture, context) : await encodeScreenshot(capture, context);
  return { body };
}

function encodeScreenshot({ data, quality = QUALITY, lossless }: ScreenshotCapture, { signal }: EncodeContext): Promise<Buffer> {
  return encodeOutput('avif', signal, () => encodeRaster(data, { format: 'avif', quality, lossless, effort: EFFORT, signal }));
}
