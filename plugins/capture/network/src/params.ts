import type { Fragments, InferParams } from '@platen/kernel';

export const NETWORK_PARAMS = {
  archive_body_size_limit: {
    type: 'integer',
    format: 'uint64',
    description: 'Maximum number of bytes to capture of each response body. Absent: no limit.',
    minimum: 0,
    examples: [1_048_576],
  },
} as const satisfies Fragments;

export type NetworkParams = InferParams<typeof NETWORK_PARAMS>;
