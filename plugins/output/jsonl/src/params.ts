import type { Fragments, InferParams } from '@platen/kernel';

export const JSONL_PARAMS = {
  crawl_content: {
    type: 'array',
    items: { type: 'string', enum: ['markdown', 'txt', 'html', 'metadata', 'links', 'extract', 'screenshot'] },
    minItems: 1,
    'x-single': true,
    'x-extension': true,
    'x-tools': ['crawl'],
    description:
      'Content of each page of jsonl. `extract` needs the parameter of this name. `screenshot` is the id of a PNG asset (`/assets?id=`), on the command line the path of a file. Default: markdown.',
    examples: [['markdown', 'metadata'], ['txt']],
    'x-synonyms': { formats: true, scrape_options: true, scrape_formats: true },
  },
} as const satisfies Fragments;

export type JsonlParams = InferParams<typeof JSONL_PARAMS>;

export type Member = NonNullable<JsonlParams['crawl_content']>[number];

export function membersOf({ crawl_content: members = ['markdown'] }: JsonlParams): readonly Member[] {
  return [...new Set(members)];
}

/** The output type that a member is made by. */
export function typeOf(member: Member): string {
  if (member === 'screenshot') return 'png';
  return member === 'markdown' || member === 'txt' || member === 'html' ? member : 'json';
}
