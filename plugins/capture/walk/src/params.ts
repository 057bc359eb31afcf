import type { Fragments, InferParams } from '@platen/kernel';

const GLOB = '`*` matches any characters';

export const WALK_PARAMS = {
  crawl_allow_url: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: `Globs of URLs to visit although \`crawl_deny_url\` matches them; ${GLOB}. Has no effect alone.`,
    examples: [['https://example.com/blog/2026/*']],
  },
  crawl_deny_url: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: `Globs of URLs not to visit; ${GLOB}.`,
    examples: [['*/login*', '*.pdf']],
  },
  crawl_concurrency: {
    type: 'integer',
    description:
      'Number of pages that a walk loads concurrently, with one cache and one set of cookies. Default: the number of processors.',
    minimum: 1,
    maximum: 256,
    examples: [4],
  },
  crawl_delay: {
    type: 'integer',
    description:
      'Least seconds between two page loads on one host. A longer `Crawl-delay` of robots.txt is honored. With the default, a walk loads one page a second of each host.',
    minimum: 0,
    maximum: 86_400,
    default: 1,
  },
  crawl_max_links: {
    type: 'integer',
    description: 'Maximum number of pages to load, with the first one. A walk that reaches it ends successfully.',
    minimum: 1,
    examples: [1000],
    'x-synonyms': { limit: true, max_pages: true },
  },
  crawl_media_sources: {
    type: 'boolean',
    description: 'Fetch the sources of audio and video elements of each page.',
    default: false,
  },
  crawl_page_timeout: {
    type: 'number',
    description: 'Maximum seconds for each page of a walk. A page that exceeds it keeps what was recorded. Default: 30.',
    exclusiveMinimum: 0,
    examples: [60],
  },
  archive_spill_max_bytes: {
    type: 'integer',
    format: 'uint64',
    description: 'Maximum number of bytes of an archive. A walk that reaches it ends successfully.',
    minimum: 1,
    examples: [1_073_741_824],
  },
} as const satisfies Fragments;

export type WalkParams = InferParams<typeof WALK_PARAMS>;
