import { definePlugin } from '@platen/kernel';
import { encodeJpg } from './encode-jpg.js';
import { MAX_SIDE, QUALITY } from './jpeg.js';

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
      captureOptions: { native: 'jpeg', quality: QUALITY, maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
    },
  ],
  apply({ hooks }) {
    hooks.encode.for('jpg').tapPromise('jpg', encodeJpg);
  },
});
