import { definePlugin, type EncodedOutput } from '@platen/kernel';
import type { PrintCapture } from '@platen/plugin-print';

export default definePlugin({
  name: 'pdf',
  requires: ['print'],
  outputs: [{ type: 'pdf', from: 'print', contentType: 'application/pdf', extension: 'pdf' }],
  apply({ hooks }) {
    hooks.encode.for('pdf').tapPromise('pdf', encodePdf);
  },
});

/** The capture is a PDF already; it is streamed from the browser to the client. */
function encodePdf({ data }: PrintCapture): Promise<EncodedOutput> {
  return Promise.resolve({ body: data });
}
