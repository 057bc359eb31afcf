import type { JsonObject } from './json.js';

/** Descriptions of the response headers. */
const TEXTS = {
  Age: 'Seconds since the result was cached.',
  'Cache-Control': 'How long the response may be cached.',
  'Cache-Status': 'Cache result (RFC 9211), if the server has a cache.',
  'Content-Disposition': 'File name derived from the target.',
  'Content-Range': 'Range of the asset.',
  ETag: 'Validator for conditional requests.',
  'Last-Modified': 'Creation time of the response.',
  Link: 'Additional assets: `</assets?id=...>; rel="related"; type="application/json"; title="har"`, separated by commas.',
  'Retry-After': 'Seconds to wait before a retry.',
  'Server-Timing': 'Milliseconds of each phase of the render: queue, open, navigate, wait, capture, encode; for a language model, `model`.',
  'X-Capture-Frames-Dropped': 'Number of dropped video frames.',
  'X-Capture-Method': 'How the video frames were captured.',
  'X-Crawl-Stopped': 'The limit that ended a crawl: `crawl_max_links` or `archive_spill_max_bytes`. Streamed archives have it inside only.',
  'X-LLM-Calls': 'Calls of language models.',
  'X-LLM-Model': 'Names of the language models.',
  'X-LLM-Tokens-Cached': 'The part of the input tokens that the provider read from its cache.',
  'X-LLM-Tokens-In': 'Input tokens of the language model.',
  'X-LLM-Tokens-Out': 'Output tokens of the language model.',
  'X-Main-Content': '`not-found`: the page has no article, and is returned whole (`main_content`).',
  'X-Missing-Assets':
    'Assets that could not be created, and why: `har;reason="..."`, separated by commas. With `partial` (`storage;partial;reason="..."`) the asset is linked but incomplete.',
  'X-Navigator-Steps': 'Number of steps of the navigator.',
  'X-Request-Id': 'Request id: that of the client, or a new one.',
  'X-Target-Status': 'Status code of the target.',
  'X-Timeout':
    'The phase that the timeout ended, `navigate` or `wait`: the page was captured as it was (HAR, WARC, WACZ, `capture_on_timeout`).',
} as const;

type HeaderName = keyof typeof TEXTS;

const INTEGERS: ReadonlySet<string> = new Set([
  'Age',
  'Retry-After',
  'X-Capture-Frames-Dropped',
  'X-LLM-Calls',
  'X-LLM-Tokens-Cached',
  'X-LLM-Tokens-In',
  'X-LLM-Tokens-Out',
  'X-Navigator-Steps',
  'X-Target-Status',
]);

/** Header Objects, as components. */
export const HEADER_COMPONENTS: JsonObject = Object.fromEntries(
  Object.entries(TEXTS).map(([name, description]) => [name, { description, schema: { type: INTEGERS.has(name) ? 'integer' : 'string' } }]),
);

/** The headers as references into the components. */
export function headersOf(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of a plugin's endpoint; headers without a component are described inline. */
export function describeHeaders(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).map(([name, description]) => [name, { description, schema: { type: 'string' } }]));
}

const RENDERED: readonly HeaderName[] = [
  'X-Request-Id',
  'Content-Disposition',
  'Server-Timing',
  'Link',
  'X-Missing-Assets',
  'X-Target-Status',
  'X-Timeout',
  'X-Capture-Method',
  'X-Capture-Frames-Dropped',
  'X-Crawl-Stopped',
  'X-Main-Content',
  'X-LLM-Model',
  'X-LLM-Calls',
  'X-LLM-Tokens-In',
  'X-LLM-Tokens-Out',
  'X-LLM-Tokens-Cached',
  'X-Navigator-Steps',
];

const CACHED: readonly HeaderName[] = ['Cache-Status', 'Cache-Control', 'ETag', 'Last-Modified', 'Age'];

/** Response headers of a render, including those of a cache. */
export const RENDER_HEADERS: JsonObject = headersOf(...RENDERED, ...CACHED);
