import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { encodeWebm } from './encode-webm.js';
import { WEBM } from './webm.js';

export default definePlugin({
  name: 'webm',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'webm',
      from: 'frames',
      contentType: 'video/webm',
      extension: 'webm',
      captureOptions: { film: 'video', frameFormat: 'jpeg', maxWidth: 16_384, maxHeight: 16_384 },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'webm', for: { output: 'webm' } }, (context) => requireFormat(WEBM, context));
    hooks.encode.for('webm').tapPromise('webm', encodeWebm);
  },
});
