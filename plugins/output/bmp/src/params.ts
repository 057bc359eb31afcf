import type { Fragments, InferParams } from '@platen/kernel';

export const BMP_PARAMS = {
  bmp_pixel_format: {
    type: 'string',
    enum: ['bgr24', 'rgb565le', 'gray8'],
    description: 'For BMP output: how a pixel is stored. Other output types have no pixel formats, and leave it alone.',
    default: 'bgr24',
    examples: ['rgb565le'],
  },
} as const satisfies Fragments;

export type BmpParams = InferParams<typeof BMP_PARAMS>;
