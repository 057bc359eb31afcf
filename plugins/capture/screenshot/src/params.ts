import type { Fragments, InferParams, Rule } from '@platen/kernel';
import { MAX_OUTPUT_SIDE } from './limits.js';

const NUMBER = String.raw`(?:\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})`;

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
    'x-search': ['thumbnail', 'resize', 'social card'],
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
  image_quality: {
    type: 'integer',
    'x-extension': true,
    description: "Quality of a jpg, webp, avif or jpegxl image. Default: the output type's own.",
    minimum: 1,
    maximum: 100,
    examples: [60],
    'x-synonyms': { quality: true },
  },
  image_lossless: {
    type: 'boolean',
    'x-extension': true,
    description: 'Encode a webp, avif or jpegxl image without loss.',
    default: false,
    'x-synonyms': { lossless: true },
  },
  image_transparent: {
    type: 'boolean',
    'x-extension': true,
    description: 'Leave the background transparent where the page paints none.',
    default: false,
    'x-synonyms': { omit_background: true, transparent: true, transparency: true },
    'x-search': ['alpha', 'no background'],
  },
  image_clip: {
    type: 'string',
    'x-extension': true,
    description: 'Crops the image to a rectangle of the page: x,y,width,height in CSS pixels.',
    pattern: String.raw`^\s*-?${NUMBER}(?:\s*,\s*-?${NUMBER})(?:\s*,\s*${NUMBER}){2}\s*$`,
    'x-expects': 'four numbers "x,y,width,height"',
    examples: ['0,100,640,360'],
    'x-synonyms': { clip: true, crop: true },
  },
  full_page: {
    type: 'boolean',
    description: 'Capture the full scrollable page. The page is loaded twice: at the browser height, then at the height of its content.',
    default: false,
    'x-search': ['whole page', 'long screenshot', 'scroll'],
  },
} as const satisfies Fragments;

export type ScreenshotParams = InferParams<typeof SCREENSHOT_PARAMS>;

export const SCREENSHOT_RULES: readonly Rule[] = [
  {
    'x-message': '"image_clip" and "full_page" are mutually exclusive',
    'x-parameters': ['image_clip', 'full_page'],
    not: { required: ['image_clip', 'full_page'], properties: { image_clip: {}, full_page: { const: true } } },
  },
  {
    'x-message': '"image_clip" and "image_selector" are mutually exclusive',
    'x-parameters': ['image_clip', 'image_selector'],
    not: { required: ['image_clip', 'image_selector'], properties: { image_clip: {}, image_selector: {} } },
  },
  {
    'x-message': '"image_quality" and "image_lossless" are mutually exclusive',
    'x-parameters': ['image_quality', 'image_lossless'],
    not: { required: ['image_quality', 'image_lossless'], properties: { image_quality: {}, image_lossless: { const: true } } },
  },
  {
    'x-message': '"full_page" and "image_selector" are mutually exclusive',
    'x-parameters': ['full_page', 'image_selector'],
    not: { required: ['full_page', 'image_selector'], properties: { full_page: { const: true }, image_selector: { type: 'string' } } },
  },
];
