import { definePlugin } from '@platen/kernel';
import { encodePng } from './encode-png.js';

export default definePlugin({
  name: 'png',
  requires: ['screenshot'],
  outputs: [{ type: 'png', from: 'screenshot', contentType: 'image/png', extension: 'png' }],
  apply({ hooks }) {
    hooks.encode.for('png').tapPromise('png', encodePng);
  },
});
