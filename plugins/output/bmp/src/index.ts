import { definePlugin } from '@platen/kernel';
import { createBmp } from './create-bmp.js';
import { BMP_PARAMS } from './params.js';

export default definePlugin({
  name: 'bmp',
  requires: ['screenshot'],
  outputs: [{ type: 'bmp', from: 'screenshot', contentType: 'image/bmp', extension: 'bmp' }],
  params: BMP_PARAMS,
  apply({ hooks }) {
    hooks.encode.for('bmp').tapPromise('bmp', createBmp);
  },
});
