import { definePlugin, type EncodeContext, type Output, readParam, Stage } from '@platen/kernel';
import { convertHtml } from '@platen/lib-markdown';
import { contentRequest, mainContentParam } from '@platen/plugin-dom/keys';
import type { ContentCapture, ContentImage, ContentRequest } from '@platen/plugin-dom';
import { MARKDOWN_PARAMS, type MarkdownParams, MOST_IMAGE_BYTES, MOST_IMAGES_BYTES } from './params.js';

export default definePlugin({
  name: 'markdown',
  requires: ['dom'],
  outputs: [{ type: 'markdown', from: 'content', contentType: 'text/markdown; charset=utf-8', extension: 'md' }],
  params: MARKDOWN_PARAMS,
  planFor: { param: 'markdown_selector' },
  plan({ params, refuse }) {
    if (readParam(params, mainContentParam) === true)
      refuse('main_content', '"main_content" cannot be combined with "markdown_selector": both choose a part of the page');
  },
  apply({ hooks }) {
    hooks.capture.for('content').tap({ name: 'markdown', stage: Stage.early, for: { output: 'markdown' } }, (context) => {
      context.set(contentRequest, askForContent(context.params));
      return undefined;
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

/** RFC 7763 defines the media type, RFC 7764 the variants. */
const CONTENT_TYPES = {
  common: 'text/markdown; charset=utf-8; variant=CommonMark',
  gfm: 'text/markdown; charset=utf-8; variant=GFM',
} as const;

async function encodeMarkdown(page: ContentCapture, { params, signal }: EncodeContext<MarkdownParams>): Promise<Output> {
  const { html, images } = page;
  const format = params.markdown_format ?? 'common';
  const title = params.markdown_no_title === true ? undefined : page.title;
  const dataUris = new Map([...images].map(([address, image]) => [address, dataUri(image)]));
  const mostEmbedded = Math.ceil((MOST_IMAGES_BYTES * 4) / 3);
  const markdown = await convertHtml({ html, format, title, images: dataUris, mostEmbedded }, signal);
  return { contentType: CONTENT_TYPES[format], extension: 'md', body: Buffer.from(markdown) };
}

/** Parameters of a media type may contain spaces, which end a link's destination. */
function dataUri({ contentType, body }: ContentImage): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(contentType)?.[0] ?? 'application/octet-stream';
  return `data:${type};base64,${body.toString('base64')}`;
}
