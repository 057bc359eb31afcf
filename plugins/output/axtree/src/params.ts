import type { Fragments, InferParams } from '@platen/kernel';

export const AXTREE_PARAMS = {
  axtree_only_visible: {
    type: 'boolean',
    description:
      'The accessibility tree, as output or as additional asset, holds only what a person can see: nothing hidden, transparent, cut away or wholly covered. What lies further down the page counts as visible.',
    default: false,
  },
  with_axtree: {
    type: ['string', 'boolean'],
    enum: ['json', 'true', 'text', 'false', true, false],
    description:
      'Also produce the accessibility tree as an additional asset. "json", or "true": a JSON tree with bounding boxes and all details. "text": an indented outline. "false": none.',
    'x-expects': 'one of: json, true, text, false',
    examples: ['json', 'text'],
  },
} as const satisfies Fragments;

export type AxtreeParams = InferParams<typeof AXTREE_PARAMS>;
