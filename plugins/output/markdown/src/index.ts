import { definePlugin } from '@platen/kernel';
import { contentRequest } from '@platen/plugin-dom/keys';
import type { ContentRequest } from '@platen/plugin-dom';
import { encodeMarkdown } from './encode-markdown.js';
import { MARKDOWN_PARAMS, type MarkdownParams, MOST_IMAGE_BYTES, MOST_IMAGES_BYTES } from './params.js';

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

function askForContent({ markdown_selector: css, markdown_embed_content: embed }: MarkdownParams): ContentRequest {
  return {
    ...(css === undefined ? {} : { selector: { css, parameter: 'markdown_selector' } }),
    ...(embed === true ? { images: { maxBytesEach: MOST_IMAGE_BYTES, maxBytesTotal: MOST_IMAGES_BYTES } } : {}),
  };
}
