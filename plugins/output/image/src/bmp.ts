import { definePlugin } from '@platen/kernel';
import { BMP_PARAMS, createBmp } from './encode-bmp.js';

export default definePlugin({
  name: 'bmp',
  requires: ['screenshot'],
  outputs: [{ type: 'bmp', from: 'screenshot', contentType: 'image/bmp', extension: 'bmp' }],
  params: BMP_PARAMS,
  apply({ hooks }) {
    hooks.encode.for('bmp').tapPromise('bmp', createBmp);
  },
});
