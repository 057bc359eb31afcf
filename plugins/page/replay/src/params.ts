import type { Fragments, InferParams } from '@platen/kernel';

export const REPLAY_PARAMS = {
  replay: {
    type: 'string',
    minLength: 1,
    'x-extension': true,
    'x-large': true,
    'x-uncached': true,
    'x-refuses-empty': true,
    'x-file': true,
    description:
      'An archive that is the network of the render: WACZ, WARC (also gzip) or HAR. A URL, `asset:ID` of an earlier render, or in a body a data: URL or a part of a form; on the command line a path. Nothing else is connected to.',
    examples: ['https://example.com/site.wacz', 'asset:AAAAAAAAAAAAAAAAAAAAAA'],
    'x-search': ['offline', 'web archive', 'recorded', 'last year', 'reproducible'],
    'x-synonyms': { archive: true, wacz: true, warc: true, route_from_har: true, har_file: true, mock_network: true },
  },
  replay_at: {
    type: 'string',
    'x-extension': true,
    'x-expects': '14 digits or a date as in RFC 3339',
    description:
      'Moment whose captures are preferred: `YYYYMMDDhhmmss` in UTC, or RFC 3339. Default: the capture of the page itself, nearest to the first one of the archive.',
    examples: ['20240501100000', '2024-05-01T12:00:00+02:00'],
    'x-synonyms': { timestamp: true },
  },
  replay_clock: {
    type: 'string',
    enum: ['now', 'capture'],
    default: 'now',
    'x-extension': true,
    description: "Date of the page's scripts: the present, or running from the moment of the capture.",
  },
  replay_match: {
    type: 'string',
    enum: ['fuzzy', 'exact'],
    default: 'fuzzy',
    'x-extension': true,
    description: 'Whether cache busters, the order of parameters, and posted data may differ from the archive.',
  },
  with_replay_report: {
    type: 'boolean',
    default: false,
    'x-extension': true,
    description:
      'Also produce a JSON list of the requests, each with its record of the archive, or null where it has none. The response begins when the output is complete.',
  },
} as const satisfies Fragments;

export type ReplayParams = InferParams<typeof REPLAY_PARAMS>;
