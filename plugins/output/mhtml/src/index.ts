import { definePlugin } from '@platen/kernel';
import { watchLoads } from './add-missing.js';
import { captureMhtml } from './capture-mhtml.js';

export type { MhtmlCapture } from './capture-mhtml.js';

export default definePlugin({
  name: 'mhtml',
  captures: [{ kind: 'mhtml' }],
  // The file's own header declares the boundary and the type of the first part.
  outputs: [{ type: 'mhtml', from: 'mhtml', contentType: 'multipart/related', extension: 'mhtml', endings: ['mht'] }],
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'mhtml', for: { capture: 'mhtml' } }, watchLoads);
    hooks.capture.for('mhtml').tapPromise('mhtml', captureMhtml);
    hooks.encode.for('mhtml').tapPromise('mhtml', ({ data }) => Promise.resolve({ body: data }));
  },
});
