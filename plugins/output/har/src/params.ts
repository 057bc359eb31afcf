import type { Fragments, InferParams } from '@platen/kernel';

export const HAR_PARAMS = {
  with_har: {
    type: 'boolean',
    description: 'Leaves the network traffic of the render as an additional asset in the HAR 1.2 format.',
    default: false,
  },
  har_capture_bodies: {
    type: 'boolean',
    description:
      'Whether a HAR holds the bodies of responses. Absent: they are in a HAR that is the output, and not in one that is an additional asset.',
  },
  har_captures_navigation: {
    type: 'boolean',
    description:
      'Whether a HAR holds every page that was gone through. Otherwise it holds the last one, with the redirects that led to it.',
    default: false,
  },
} as const satisfies Fragments;

export type HarParams = InferParams<typeof HAR_PARAMS>;
