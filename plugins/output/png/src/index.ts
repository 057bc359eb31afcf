import { definePlugin, type EncodedOutput } from '@platen/kernel';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

export default definePlugin({
  name: 'png',
  requires: ['screenshot'],
  outputs: [
    { type: 'png', from: 'screenshot', contentType: 'image/png', extension: 'png', captureOptions: { adjusts: ['image_transparent'] } },
  ],
  apply({ hooks }) {
    hooks.encode.for('png').tapPromise('png', encodePng);
  },
});

/** The capture is a PNG already. */
function encodePng({ data }: ScreenshotCapture): Promise<EncodedOutput> {
  return Promise.resolve({ body: data });
}
