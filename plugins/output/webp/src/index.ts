import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { ANIMATED_WEBP } from './animated-webp.js';
import { encodeWebp } from './encode-webp.js';

/** Largest side that the format can hold: 14 bits less one (RFC 9649, 2.6). */
const MAX_SIDE = 16_383;

export default definePlugin({
  name: 'webp',
  requires: ['screenshot', 'frames', 'ffmpeg'],
  outputs: [
    {
      type: 'webp',
      from: ['screenshot', 'frames'],
      contentType: 'image/webp',
      extension: 'webp',
      captureOptions: { maxWidth: MAX_SIDE, maxHeight: MAX_SIDE, film: 'optional', frameFormat: 'png' },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'webp', for: { output: 'webp' } }, (context) => requireFormat(ANIMATED_WEBP, context));
    hooks.encode.for('webp').tapPromise('webp', encodeWebp);
  },
});
