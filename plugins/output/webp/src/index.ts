import { definePlugin } from '@platen/kernel';
import { encodeWebp } from './encode-webp.js';

/** Largest side that the format can hold: 14 bits less one (RFC 9649, 2.6). */
const MAX_SIDE = 16_383;

export default definePlugin({
  name: 'webp',
  requires: ['pixels'],
  outputs: [
    {
      type: 'webp',
      from: 'pixels',
      contentType: 'image/webp',
      extension: 'webp',
      captureOptions: { maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
    },
  ],
  apply({ hooks }) {
    hooks.encode.for('webp').tapPromise('webp', encodeWebp);
  },
});
