import { definePlugin, type Output } from '@platen/kernel';
import type { DomCapture } from '@platen/plugin-dom';
import { domRequest } from '@platen/plugin-dom/keys';

export default definePlugin({
  name: 'html',
  requires: ['dom'],
  outputs: [{ type: 'html', from: 'dom', contentType: 'text/html; charset=utf-8', extension: 'html', endings: ['htm'] }],
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'html', for: { output: 'html' } }, (context) => {
      // What its scripts have made stands in it: run again, they would make it twice.
      context.set(domRequest, { inert: true });
    });
    hooks.encode.for('html').tapPromise('html', encodeHtml);
  },
});

/** The capture says everything, its charset too. */
function encodeHtml({ html }: DomCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'text/html; charset=utf-8', extension: 'html', body: Buffer.from(html) });
}
