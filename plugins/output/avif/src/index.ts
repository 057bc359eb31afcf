import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { ANIMATED_AVIF } from './animated.js';
import { encodeAnimated } from './encode-animated.js';
import { encodeStill } from './encode-still.js';
import { MAX_PIXELS, MAX_SIDE } from './still.js';

export default definePlugin({
  name: 'avif',
  requires: ['screenshot', 'frames', 'ffmpeg'],
  outputs: [
    {
      type: 'avif',
      from: ['screenshot', 'frames'],
      contentType: 'image/avif',
      extension: 'avif',
      captureOptions: { maxWidth: MAX_SIDE, maxHeight: MAX_SIDE, maxPixels: MAX_PIXELS, film: 'optional', frameFormat: 'png' },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'avif', for: { output: 'avif' } }, (context) => requireFormat(ANIMATED_AVIF, context));
    hooks.encode
      .for('avif')
      .tapPromise('avif', (capture, context) => ('frames' in capture ? encodeAnimated(capture, context) : encodeStill(capture, context)));
  },
});
