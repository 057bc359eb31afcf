import { definePlugin, type EncodedOutput, Stage } from '@platen/kernel';
import type { DomCapture } from '@platen/plugin-dom';
import { domRequest } from '@platen/plugin-dom/keys';

export default definePlugin({
  name: 'html',
  requires: ['dom'],
  outputs: [{ type: 'html', from: 'dom', contentType: 'text/html; charset=utf-8', extension: 'html', endings: ['htm'] }],
  apply({ hooks }) {
    hooks.capture.for('dom').tap({ name: 'html', stage: Stage.early, for: { output: 'html' } }, (context) => {
      // The document contains what its scripts have made: running them again would duplicate it.
      context.set(domRequest, { inert: true });
      return undefined;
    });
    hooks.encode.for('html').tapPromise('html', encodeHtml);
  },
});

/** The capture declares everything, including its charset. */
function encodeHtml({ html }: DomCapture): Promise<EncodedOutput> {
  return Promise.resolve({ body: Buffer.from(html) });
}
