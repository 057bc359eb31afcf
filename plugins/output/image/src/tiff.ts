import { definePlugin, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import { encodeOutput, encodeRaster } from '@platen/lib-raster';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

export default definePlugin({
  name: 'tiff',
  requires: ['screenshot'],
  outputs: [
    {
      type: 'tiff',
      from: 'screenshot',
      contentType: 'image/tiff',
      extension: 'tiff',
      endings: ['tif'],
      captureOptions: { adjusts: ['image_transparent'] },
    },
  ],
  apply({ hooks }) {
    hooks.encode.for('tiff').tapPromise('tiff', encodeTiff);
  },
});

async function encodeTiff({ data }: ScreenshotCapture, { signal }: EncodeContext): Promise<EncodedOutput> {
  const body = await encodeOutput('tiff', signal, () => encodeRaster(data, { format: 'tiff', signal }));
  return { body };
}
