import type { Fragments } from '@platen/kernel';

export const FREEZE_PARAMS = {
  freeze: {
    type: 'boolean',
    'x-extension': true,
    description:
      'Makes renders repeatable: a fixed date, seeded `Math.random`, finished animations, videos and animated images at their first frame, no caret. Dates and ids of the output are fixed too.',
    default: false,
    'x-synonyms': { disable_animations: true, no_animations: true, freeze_animations: true, deterministic: true, stable: true },
    'x-search': ['visual test', 'flaky', 'animations', 'regression'],
  },
  freeze_time: {
    type: 'string',
    'x-extension': true,
    description: 'Date and time that the page sees with "freeze", as in RFC 3339. Default: 2025-01-01T00:00:00Z.',
    pattern: String.raw`^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$`,
    'x-expects': 'a date and time with offset, such as 2025-06-01T12:00:00Z',
    examples: ['2025-06-01T12:00:00Z'],
    'x-synonyms': { clock: true, fixed_time: true, fake_time: true, now: true },
  },
  freeze_seed: {
    type: 'integer',
    format: 'uint32',
    'x-extension': true,
    description: 'Seed of `Math.random` with "freeze". Default: 1.',
    minimum: 0,
    maximum: 4_294_967_295,
    examples: [7],
    'x-synonyms': { seed: true, random_seed: true },
  },
} as const satisfies Fragments;
