import type { Fragments, InferParams } from '@platen/kernel';

/** Bytes of an embedded image; a larger image keeps its URL. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** Bytes of all embedded images, each counted as often as it occurs in the document. */
export const MOST_IMAGES_BYTES = 32 * 1024 * 1024;

export const MARKDOWN_PARAMS = {
  markdown_format: {
    type: 'string',
    description: 'Markdown flavor: CommonMark, or GitHub Flavored Markdown with tables, strikethrough, task lists and autolinks.',
    enum: ['common', 'gfm'],
    default: 'common',
    examples: ['gfm'],
  },
  markdown_embed_content: {
    type: 'boolean',
    description: 'Embed images as data URIs. By default they keep their absolute URLs.',
    default: false,
  },
  markdown_no_title: {
    type: 'boolean',
    description: "Omit the page's title, which is the first heading by default. The headings of the page itself are not affected.",
    default: false,
  },
  markdown_selector: {
    type: 'string',
    description: 'CSS selector: converts all matching elements, in document order. By default the body is converted.',
    minLength: 1,
    'x-refuses-empty': true,
    examples: ['main'],
  },
} as const satisfies Fragments;

export type MarkdownParams = InferParams<typeof MARKDOWN_PARAMS>;
