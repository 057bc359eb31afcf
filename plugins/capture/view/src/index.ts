import { definePlugin } from '@platen/kernel';
import { captureView } from '@platen/lib-view';
import { viewOptions } from './keys.js';

export default definePlugin({
  name: 'view',
  captures: [{ kind: 'view', scaled: true }],
  apply({ hooks }) {
    hooks.capture.for('view').tapPromise('view', (context) => {
      context.setWaitReason('the accessibility tree and the screenshot');
      return captureView(context.page, context.get(viewOptions));
    });
  },
});
