import { definePlugin } from '@platen/kernel';
import { AXTREE_PARAMS } from './params.js';
import { addTree, FORMS, writeTree } from './write-tree.js';

export default definePlugin({
  name: 'axtree',
  requires: ['accessibility'],
  outputs: [
    { type: 'axtree', from: 'accessibility', ...FORMS.text },
    { type: 'axtree_json', from: 'accessibility', ...FORMS.json, endings: ['axtree.json'] },
  ],
  assets: [{ key: 'with_axtree', name: 'axtree' }],
  params: AXTREE_PARAMS,
  apply({ hooks }) {
    hooks.encode.for('axtree').tapPromise('axtree', (capture, context) => writeTree(capture, context, 'text'));
    hooks.encode.for('axtree_json').tapPromise('axtree', (capture, context) => writeTree(capture, context, 'json'));
    hooks.additionalAssets.tapPromise({ name: 'axtree', for: { asset: 'with_axtree' } }, addTree);
  },
});
