import type { Fragments, InferParams, Rule } from '@platen/kernel';
import { MAX_OUTPUT_SIDE } from './limits.js';

export const PIXEL_PARAMS = {
  image_width: {
    type: 'integer',
    format: 'uint32',
    description:
      'Output image width in pixels. Alone, it keeps the ratio; with image_height the picture has exactly that size, filled from the top and cropped where the ratio differs.',
    minimum: 1,
    maximum: MAX_OUTPUT_SIDE,
    examples: [640],
    'x-synonyms': { thumbnail_width: true, thumb_width: true },
  },
  image_height: {
    type: 'integer',
    format: 'uint32',
    description: 'Output image height in pixels. Alone, it keeps the ratio.',
    minimum: 1,
    maximum: MAX_OUTPUT_SIDE,
    examples: [360],
    'x-synonyms': { thumbnail_height: true, thumb_height: true },
  },
  image_selector: {
    type: 'string',
    description:
      'CSS selector. Crops the image to the bounding rectangle that the first match has at render start, which is then the default output size.',
    minLength: 1,
    examples: ['#chart'],
    'x-synonyms': { selector: true, element: true },
  },
  full_page: {
    type: 'boolean',
    description: 'Capture the full scrollable page. The page is loaded twice: at the browser height, then at the height of its content.',
    default: false,
  },
} as const satisfies Fragments;

export type PixelParams = InferParams<typeof PIXEL_PARAMS>;

export const PIXEL_RULES: readonly Rule[] = [
  {
    'x-message': '"full_page" and "image_selector" exclude each other',
    'x-parameters': ['full_page', 'image_selector'],
    not: { required: ['full_page', 'image_selector'], properties: { full_page: { const: true }, image_selector: { type: 'string' } } },
  },
];
