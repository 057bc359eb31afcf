import type { Fragments, InferParams } from '@platen/kernel';

/** Bytes of an embedded image; a larger image keeps its URL. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024;

/** Bytes of all embedded images, each counted as often as it occurs in the document. */
export const MOST_IMAGES_BYTES = 32 * 1024 * 1024;

/**
 * Characters of HTML (or equivalent cost) that are converted on the event loop; larger documents, which would block it for more than some
 * 20 ms, go to a thread.
 */
export const MOST_AT_ONCE = 32 * 1024;

/** Milliseconds that an idle thread waits for more work. */
export const IDLE_MS = 30_000;

/** MiB of a thread: a page of 20 MB of HTML takes 1.1 GB, and a larger one must not crash the server. */
export const OLD_MIB = 2048;

/** MiB: the nodes of a page of some 100 KB of HTML, which all live until its end, fit without repeated copying. */
export const YOUNG_MIB = 96;

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
