import { definePlugin } from '@platen/kernel';
import { encodeTiff } from './encode-tiff.js';

export default definePlugin({
  name: 'tiff',
  requires: ['screenshot'],
  outputs: [{ type: 'tiff', from: 'screenshot', contentType: 'image/tiff', extension: 'tiff', endings: ['tif'] }],
  apply({ hooks }) {
    hooks.encode.for('tiff').tapPromise('tiff', encodeTiff);
  },
});
