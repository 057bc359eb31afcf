import type { Fragments, InferParams } from '@platen/kernel';

export const AXTREE_PARAMS = {
  axtree_only_visible: {
    type: 'boolean',
    description:
      'Limit the accessibility tree, as output and as additional asset, to visible nodes: without hidden, transparent, clipped or completely covered nodes. Content that can be scrolled into view counts as visible.',
    default: false,
  },
  with_axtree: {
    type: ['string', 'boolean'],
    enum: ['json', 'true', 'text', 'false', true, false],
    description:
      'Return the accessibility tree as an additional asset. "json", or "true": a JSON tree with bounding boxes and all details. "text": an indented outline. "false": none.',
    'x-expects': 'one of: json, true, text, false',
    examples: ['json', 'text'],
  },
} as const satisfies Fragments;

export type AxtreeParams = InferParams<typeof AXTREE_PARAMS>;
