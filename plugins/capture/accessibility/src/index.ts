import { definePlugin } from '@platen/kernel';
import { captureTree } from '@platen/lib-accessibility-tree';
import { treeCapture } from './keys.js';

export default definePlugin({
  name: 'accessibility',
  captures: [{ kind: 'accessibility', combines: 'reading' }],
  apply({ hooks }) {
    hooks.capture.for('accessibility').tapPromise('accessibility', async (context) => {
      context.setWaitReason('the accessibility tree');
      const capture = await captureTree(context.page);
      context.set(treeCapture, capture);
      return capture;
    });
  },
});
