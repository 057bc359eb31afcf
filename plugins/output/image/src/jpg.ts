import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { encodeOutput, encodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

/** libjpeg's JPEG_MAX_DIMENSION, which the browser and libvips share: the format's own limit is 65,535. */
const MAX_SIDE = 65_500;

/** Also the browser's default. */
const QUALITY = 80;

export default definePlugin({
  name: 'jpg',
  requires: ['screenshot'],
  outputs: [
    {
      type: 'jpg',
      from: 'screenshot',
      contentType: 'image/jpeg',
      extension: 'jpg',
      endings: ['jpeg', 'jpe'],
      captureOptions: { native: 'jpeg', quality: QUALITY, maxWidth: MAX_SIDE, maxHeight: MAX_SIDE, adjusts: ['image_quality'] },
    },
  ],
  apply({ hooks }) {
    hooks.encode.for('jpg').tapPromise('jpg', encodeJpg);
  },
});

/** Passes the browser's own JPEG through; a screenshot captured in tiles is encoded here. */
async function encodeJpg({ format, data, quality = QUALITY }: ScreenshotCapture, { signal }: EncodeContext): Promise<EncodedOutput> {
  const encode = () => encodeRaster(data, { format: 'jpeg', quality, signal });
  return { body: format === 'jpeg' ? data : await encodeOutput('jpg', signal, encode) };
}
