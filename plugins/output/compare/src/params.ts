import type { Fragments, InferParams } from '@platen/kernel';

export const COMPARE_PARAMS = {
  compare: {
    type: 'string',
    minLength: 1,
    'x-extension': true,
    'x-large': true,
    'x-uncached': true,
    'x-refuses-empty': true,
    'x-file': true,
    description:
      'Compares the image with this one: an http or https URL, `asset:` with the id of an asset, in a body a data: URL or a part of a form, on the command line a path. Adds `X-Compare`.',
    examples: ['https://example.com/baseline.png'],
    'x-synonyms': { baseline: true, reference: true, diff: true },
    'x-search': ['visual test', 'visual regression', 'screenshot test', 'what changed'],
  },
  compare_url: {
    type: 'string',
    minLength: 1,
    'x-extension': true,
    'x-uncached': true,
    'x-refuses-empty': true,
    description: 'Compares the image with that of another page, rendered first with the same parameters.',
    examples: ['https://staging.example.com/'],
    'x-search': ['staging', 'two pages'],
  },
  compare_threshold: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.1,
    'x-extension': true,
    description: 'Distance of colors from which a pixel counts as different: 0 (any) to 1 (black and white).',
    'x-synonyms': { tolerance: true },
  },
  compare_antialiasing: {
    type: 'boolean',
    default: false,
    'x-extension': true,
    description: 'Also count pixels of smoothed edges.',
  },
  compare_max_pixels: {
    type: 'integer',
    minimum: 0,
    'x-extension': true,
    description: 'The render fails with 422 `picture_differs` if more pixels differ.',
    examples: [0],
    'x-synonyms': { max_diff_pixels: true },
  },
  compare_max_ratio: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    'x-extension': true,
    description: 'The render fails with 422 `picture_differs` if a larger part of the pixels differs.',
    examples: [0.001],
    'x-synonyms': { max_diff_pixel_ratio: true },
  },
  with_diff: {
    type: 'boolean',
    default: false,
    'x-extension': true,
    description: 'Also produce a PNG of the baseline, the difference and the image side by side, with the changed regions framed.',
  },
  with_comparison: {
    type: 'boolean',
    default: false,
    'x-extension': true,
    description: 'Also produce the comparison as JSON: how many pixels differ, and where.',
  },
} as const satisfies Fragments;

export type CompareParams = InferParams<typeof COMPARE_PARAMS>;

export const DEFAULT_MAX_BYTES = 64 * 1024 ** 2;

export const COMPARE_FLAGS = {
  'compare-max-bytes': {
    type: 'integer',
    minimum: 1,
    default: DEFAULT_MAX_BYTES,
    description: 'Largest baseline of `compare`, in bytes.',
  },
} as const satisfies Fragments;
