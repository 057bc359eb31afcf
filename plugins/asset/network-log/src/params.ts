import type { Fragments } from '@platen/kernel';

export const NETWORK_LOG_PARAMS = {
  with_network_log: {
    type: 'boolean',
    description:
      "Leaves the DevTools protocol's Network, Page and Security events of the render as an additional asset, a line of JSON each.",
    default: false,
  },
} as const satisfies Fragments;
