import type { Fragments, InferParams } from '@platen/kernel';

export const EXCHANGE_PARAMS = {
  archive_body_size_limit: {
    type: 'integer',
    format: 'uint64',
    description: 'The most bytes of a response body that are captured, for each response. Absent: no limit.',
    minimum: 0,
    examples: [1_048_576],
  },
} as const satisfies Fragments;

export type ExchangeParams = InferParams<typeof EXCHANGE_PARAMS>;
