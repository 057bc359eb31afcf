import { definePlugin } from '@platen/kernel';
import { encodePdf } from './encode-pdf.js';

export default definePlugin({
  name: 'pdf',
  requires: ['print'],
  outputs: [{ type: 'pdf', from: 'print', contentType: 'application/pdf', extension: 'pdf' }],
  apply({ hooks }) {
    hooks.encode.for('pdf').tapPromise('pdf', encodePdf);
  },
});
