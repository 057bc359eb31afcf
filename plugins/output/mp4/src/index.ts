import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { encodeMp4 } from './encode-mp4.js';
import { MP4 } from './mp4.js';

export default definePlugin({
  name: 'mp4',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'mp4',
      from: 'frames',
      contentType: 'video/mp4',
      extension: 'mp4',
      captureOptions: { film: 'video', frameFormat: 'jpeg', maxWidth: 16_384, maxHeight: 16_384 },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'mp4', for: { output: 'mp4' } }, (context) => requireFormat(MP4, context));
    hooks.encode.for('mp4').tapPromise('mp4', encodeMp4);
  },
});
