import { definePlugin } from '@platen/kernel';
import { createTextEncoder } from './encode-txt.js';

export default definePlugin({
  name: 'txt',
  requires: ['dom'],
  outputs: [{ type: 'txt', from: 'content', contentType: 'text/plain; charset=utf-8', extension: 'txt' }],
  apply({ hooks }) {
    hooks.encode.for('txt').tapPromise('txt', createTextEncoder());
  },
});
