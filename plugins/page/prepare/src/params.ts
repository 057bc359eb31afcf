import type { Fragments, InferParams } from '@platen/kernel';

const SELECTORS = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 4096 },
  maxItems: 100,
  'x-single': true,
  'x-extension': true,
} as const;

export const PREPARE_PARAMS = {
  css: {
    type: 'string',
    'x-code': true,
    'x-at-file': true,
    minLength: 1,
    'x-extension': true,
    description: 'Style sheet that is added to every frame of the page before its first paint; at most 256 KiB.',
    examples: ['header { position: static }'],
    'x-synonyms': { styles: true, style: true, custom_css: true, inject_css: true, add_style_tag: true, extra_css: true },
  },
  hide_selector: {
    ...SELECTORS,
    description: 'CSS selectors of elements that become invisible and keep their room, also those that appear later.',
    examples: [['.banner', '#chat']],
    'x-synonyms': { hide: true, hide_selectors: true, hide_elements: true },
  },
  remove_selector: {
    ...SELECTORS,
    description: 'CSS selectors of elements that are removed from the page, also those that appear later.',
    examples: [['footer', 'aside.ad']],
    'x-synonyms': { remove: true, remove_selectors: true, remove_elements: true, exclude_tags: true },
  },
  wait_after: {
    type: 'number',
    minimum: 0,
    maximum: 300,
    'x-extension': true,
    description: 'Seconds to wait before the capture, once the page is ready and prepared. The default timeout grows by them.',
    examples: [0.5],
    'x-synonyms': { delay: true, wait_before_capture: true, capture_delay: true },
  },
} as const satisfies Fragments;

export type PrepareParams = InferParams<typeof PREPARE_PARAMS>;
