import { definePlugin } from '@platen/kernel';
import { captureView } from '@platen/lib-view';
import { viewOptions } from './keys.js';

export default definePlugin({
  name: 'view',
  captures: [{ kind: 'view' }],
  planFor: { capture: 'view' },
  plan({ browser }) {
    // A screenshot includes cross-site iframes, which have separate processes.
    browser.scaled = true;
  },
  apply({ hooks }) {
    hooks.capture.for('view').tapPromise('view', (context) => {
      context.setWaitReason('the accessibility tree and the screenshot');
      return captureView(context.page, context.get(viewOptions));
    });
  },
});
