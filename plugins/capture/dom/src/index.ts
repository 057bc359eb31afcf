import { definePlugin } from '@platen/kernel';
import { captureContent } from './capture-content.js';
import { captureDom } from './capture-dom.js';

// The keys `contentRequest` and `domRequest` are imported from `@platen/plugin-dom/keys`: plugins import each other's types and keys, never code.
export type { ContentCapture, ContentImage, ContentRequest, DomCapture, DomRequest } from './capture-kinds.js';

export default definePlugin({
  name: 'dom',
  captures: [{ kind: 'dom' }, { kind: 'content' }],
  apply({ hooks }) {
    hooks.capture.for('dom').tapPromise('dom', captureDom);
    hooks.capture.for('content').tapPromise('dom', captureContent);
  },
});
