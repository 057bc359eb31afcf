import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { encodeVideo, frameFilters, requireFormat, type VideoFormat } from '@platen/lib-ffmpeg';
import { encodeOutput, encodeRaster } from '@platen/lib-raster';
import type { FramesCapture } from '@platen/plugin-frames';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

/** Largest side that the format can hold: 14 bits less one (RFC 9649, 2.6). */
const MAX_SIDE = 16_383;

/** libwebp's scale of 0 to 100, for still and animated images. */
const QUALITY = 80;

/** libwebp's scale of 0 to 6: the next step takes twice the time for a twentieth of the bytes (test/bench/outputs.md). */
const EFFORT = 2;

/** Loops forever. libwebp merges equal frames into one long frame. */
const ANIMATED_WEBP: VideoFormat = {
  type: 'webp',
  muxer: 'webp',
  muxerOptions: () => ['-loop', '0'],
  codecs: [
    {
      encoder: 'libwebp_anim',
      filters: (video) => [...frameFilters(video, 'rgb24'), 'format=bgra'],
      options: () => ['-quality', String(QUALITY), '-compression_level', String(EFFORT)],
    },
  ],
};

export default definePlugin({
  name: 'webp',
  requires: ['screenshot', 'frames', 'ffmpeg'],
  outputs: [
    {
      type: 'webp',
      from: ['screenshot', 'frames'],
      contentType: 'image/webp',
      extension: 'webp',
      captureOptions: {
        maxWidth: MAX_SIDE,
        maxHeight: MAX_SIDE,
        recording: 'optional',
        frameFormat: 'png',
        adjusts: ['image_quality', 'image_lossless', 'image_transparent'],
      },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'webp', for: { output: 'webp' } }, (context) => requireFormat(ANIMATED_WEBP, context));
    hooks.encode.for('webp').tapPromise('webp', encodeWebp);
  },
});

/** Still or animated, depending on the capture. */
export async function encodeWebp(capture: ScreenshotCapture | FramesCapture, context: EncodeContext): Promise<EncodedOutput> {
  const body = 'frames' in capture ? await encodeAnimated(capture, context) : await encodeScreenshot(capture, context);
  return { body };
}

/** Encoded outside the browser on purpose: its own WebP encoder occupies the slot about twice as long (test/bench/outputs.md). */
function encodeScreenshot({ data, quality = QUALITY, lossless }: ScreenshotCapture, { signal }: EncodeContext): Promise<Buffer> {
  return encodeOutput('webp', signal, () => encodeRaster(data, { format: 'webp', quality, lossless, effort: EFFORT, signal }));
}

async function encodeAnimated(video: FramesCapture, context: EncodeContext): Promise<Buffer> {
  await using file = await encodeVideo({ video, format: ANIMATED_WEBP, context });
  return await file.readAll();
}
