import { definePlugin } from '@platen/kernel';
import { encodePng } from './encode-png.js';

export default definePlugin({
  name: 'png',
  requires: ['pixels'],
  outputs: [{ type: 'png', from: 'pixels', contentType: 'image/png', extension: 'png' }],
  apply({ hooks }) {
    hooks.encode.for('png').tapPromise('png', encodePng);
  },
});
