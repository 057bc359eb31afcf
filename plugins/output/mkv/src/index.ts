import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { encodeMkv } from './encode-mkv.js';
import { MKV } from './mkv.js';

export default definePlugin({
  name: 'mkv',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'mkv',
      from: 'frames',
      contentType: 'video/matroska',
      extension: 'mkv',
      captureOptions: { film: 'video', frameFormat: 'jpeg', maxWidth: 16_384, maxHeight: 16_384 },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'mkv', for: { output: 'mkv' } }, (context) => requireFormat(MKV, context));
    hooks.encode.for('mkv').tapPromise('mkv', encodeMkv);
  },
});
