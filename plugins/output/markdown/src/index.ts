import { definePlugin } from '@platen/kernel';
import { contentRequest } from '@platen/plugin-dom/keys';
import { askForContent } from './ask-for-content.js';
import { encodeMarkdown } from './encode-markdown.js';
import { MARKDOWN_PARAMS } from './params.js';

export default definePlugin({
  name: 'markdown',
  requires: ['dom'],
  outputs: [{ type: 'markdown', from: 'content', contentType: 'text/markdown; charset=utf-8', extension: 'md' }],
  params: MARKDOWN_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'markdown', for: { output: 'markdown' } }, (context) => {
      context.set(contentRequest, askForContent(context.params));
    });
    hooks.encode.for('markdown').tapPromise('markdown', encodeMarkdown);
  },
});
