import type { ContentRequest } from '@platen/plugin-dom';
import { MOST_IMAGE_BYTES, MOST_IMAGES_BYTES } from './limits.js';
import type { MarkdownParams } from './params.js';

export function askForContent({ markdown_selector: css, markdown_embed_content: embed }: MarkdownParams): ContentRequest {
  return {
    ...(css === undefined ? {} : { selector: { css, parameter: 'markdown_selector' } }),
    ...(embed === true ? { images: { maxBytesEach: MOST_IMAGE_BYTES, maxBytesTotal: MOST_IMAGES_BYTES } } : {}),
  };
}
