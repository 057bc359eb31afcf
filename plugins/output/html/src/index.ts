import { definePlugin, type Output } from '@platen/kernel';
import type { DomCapture } from '@platen/plugin-dom';

export default definePlugin({
  name: 'html',
  requires: ['dom'],
  outputs: [{ type: 'html', from: 'dom', contentType: 'text/html; charset=utf-8', extension: 'html' }],
  apply({ hooks }) {
    hooks.encode.for('html').tapPromise('html', encodeHtml);
  },
});

/** The capture says everything, its charset too. */
function encodeHtml({ html }: DomCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'text/html; charset=utf-8', extension: 'html', body: Buffer.from(html) });
}
