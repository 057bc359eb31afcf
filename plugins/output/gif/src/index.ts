import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { encodeGif, GIF, refuseTooFast } from './encode-gif.js';

/** Largest side that the format can hold (GIF89a, 18): 16 bits. */
const MAX_SIDE = 65_535;

export default definePlugin({
  name: 'gif',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'gif',
      from: 'frames',
      contentType: 'image/gif',
      extension: 'gif',
      captureOptions: { recording: 'image', frameFormat: 'png', maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
    },
  ],
  planFor: { output: 'gif' },
  plan: refuseTooFast,
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'gif', for: { output: 'gif' } }, (context) => requireFormat(GIF, context));
    hooks.encode.for('gif').tapPromise('gif', encodeGif);
  },
});
