import type { Fragments, InferParams } from '@platen/kernel';

export const TRACE_PARAMS = {
  with_trace: {
    type: 'boolean',
    description: 'Also produce a performance trace as an additional asset.',
    default: false,
    examples: [true],
  },
  trace_captures_navigation: {
    type: 'boolean',
    description: 'Capture every page that is passed on the way in the trace. By default it is trimmed to the final page.',
    default: false,
    examples: [true],
  },
  trace_no_gzip: {
    type: 'boolean',
    description:
      'Skip gzip of the trace. On the command line the ending of the output file says it, too: ".json" is plain, ".json.gz" is gzip.',
    default: false,
    examples: [true],
  },
  trace_no_screenshots: {
    type: 'boolean',
    description: 'Omit the screenshot filmstrip from the trace.',
    default: false,
    examples: [true],
  },
} as const satisfies Fragments;

export type TraceParams = InferParams<typeof TRACE_PARAMS>;
