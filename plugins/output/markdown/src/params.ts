import type { Fragments, InferParams } from '@platen/kernel';

export const MARKDOWN_PARAMS = {
  markdown_format: {
    type: 'string',
    description:
      'The kind of Markdown: plain CommonMark, or GitHub Flavored Markdown with tables, strikethrough, task lists and autolinks.',
    enum: ['common', 'gfm'],
    default: 'common',
    examples: ['gfm'],
  },
  markdown_embed_content: {
    type: 'boolean',
    description: 'Embed images as data URIs so that the document needs nothing else. Without it they keep their absolute URLs.',
    default: false,
  },
  markdown_no_title: {
    type: 'boolean',
    description: "Omit the page's title, which else is the first heading. The page's own headings stay.",
    default: false,
  },
  markdown_selector: {
    type: 'string',
    description: 'CSS selector. Only matching elements are converted, all of them in document order; without it the body is.',
    minLength: 1,
    'x-refuses-empty': true,
    examples: ['main'],
  },
} as const satisfies Fragments;

export type MarkdownParams = InferParams<typeof MARKDOWN_PARAMS>;
