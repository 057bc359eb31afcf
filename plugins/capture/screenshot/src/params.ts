import type { Fragments, InferParams, Rule } from '@platen/kernel';
import { MAX_OUTPUT_SIDE } from './limits.js';

export const SCREENSHOT_PARAMS = {
  image_width: {
    type: 'integer',
    format: 'uint32',
    description:
      'Output image width in pixels. Alone, it keeps the aspect ratio; with image_height, the image has exactly that size, filled from the top and cropped if the ratio differs.',
    minimum: 1,
    maximum: MAX_OUTPUT_SIDE,
    examples: [640],
    'x-synonyms': { thumbnail_width: true, thumb_width: true },
  },
  image_height: {
    type: 'integer',
    format: 'uint32',
    description: 'Output image height in pixels. Alone, it keeps the aspect ratio.',
    minimum: 1,
    maximum: MAX_OUTPUT_SIDE,
    examples: [360],
    'x-synonyms': { thumbnail_height: true, thumb_height: true },
  },
  image_selector: {
    type: 'string',
    description:
      'CSS selector. Crops the image to the bounding rectangle of the first match at render start, which is also the default output size.',
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

export type ScreenshotParams = InferParams<typeof SCREENSHOT_PARAMS>;

export const SCREENSHOT_RULES: readonly Rule[] = [
  {
    'x-message': '"full_page" and "image_selector" are mutually exclusive',
    'x-parameters': ['full_page', 'image_selector'],
    not: { required: ['full_page', 'image_selector'], properties: { full_page: { const: true }, image_selector: { type: 'string' } } },
  },
];
