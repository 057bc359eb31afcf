import type { Fragments } from '@platen/kernel';

export const FLAGS = {
  'adblock-rules': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    'x-single': true,
    description: 'Filter list in EasyList syntax, a file or an http(s) URL; repeat it for more. What its rules hit is blocked or hidden.',
    examples: [['/etc/platen/easylist.txt', 'https://easylist.to/easylist/easylist.txt']],
  },
  'server-update-adblock-interval': {
    type: 'integer',
    description:
      'Read the sources of --adblock-rules again every so many seconds while serving. One that cannot be had leaves the old rules.',
    minimum: 1,
    maximum: 2_147_483,
    examples: [86_400],
    'x-tier': 'enterprise',
  },
} as const satisfies Fragments;
