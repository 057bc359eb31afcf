import { definePlugin } from '@platen/kernel';
import { requireFormat } from '@platen/lib-ffmpeg';
import { APNG, encodeApng } from './encode-apng.js';

export default definePlugin({
  name: 'apng',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'apng',
      from: 'frames',
      contentType: 'image/apng',
      extension: 'apng',
      captureOptions: { recording: 'image', frameFormat: 'png' },
    },
  ],
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'apng', for: { output: 'apng' } }, (context) => requireFormat(APNG, context));
    hooks.encode.for('apng').tapPromise('apng', encodeApng);
  },
});
