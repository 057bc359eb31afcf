import type { Fragments, InferParams } from '@platen/kernel';

export const DOM_PARAMS = {
  main_content: {
    type: 'boolean',
    'x-extension': true,
    'x-tools': ['read_page', 'crawl'],
    description:
      'Only the article of the page, without navigation and other parts around it, for markdown, txt, html and jsonl. A page without one is returned whole, with the header `X-Main-Content: not-found`.',
    default: false,
    'x-synonyms': { only_main_content: true, readability: true, reader_mode: true, article: true },
    'x-search': ['article', 'reader mode', 'boilerplate'],
  },
} as const satisfies Fragments;

export type DomParams = InferParams<typeof DOM_PARAMS>;
