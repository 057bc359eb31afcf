import type { JsonObject } from './json.js';

/** What each header of an answer says. */
const TEXTS = {
  Age: 'Seconds since the result was made, where it was kept.',
  'Cache-Control': 'For how long the answer may be kept.',
  'Cache-Status': 'How the cache dealt with the request (RFC 9211), where there is one.',
  'Content-Disposition': 'A file name made from the target.',
  'Content-Range': 'Which part of the asset this is.',
  ETag: 'A validator for conditional requests.',
  'Last-Modified': 'When the answer was made.',
  Link: 'Additional assets: `</assets?id=...>; rel="related"; type="application/json"; title="har"`, separated by commas.',
  'Retry-After': 'Seconds until another try makes sense.',
  'Server-Timing': 'Milliseconds of each phase of the render that was made for this answer: queue, open, navigate, wait, capture, encode.',
  'X-Capture-Frames-Dropped': 'How many frames of a film there was no time for.',
  'X-Capture-Method': 'How the frames of a film were taken.',
  'X-Missing-Assets':
    'Assets that could not be made, and why: `har;reason="..."`, separated by commas. With `partial`, `storage;partial;reason="..."`, the asset is linked and a part of it is missing.',
  'X-Request-Id': "The request's id: the client's own, or a new one.",
  'X-Target-Status': 'The status that the target answered with.',
} as const;

type HeaderName = keyof typeof TEXTS;

const INTEGERS: ReadonlySet<string> = new Set(['Age', 'Retry-After', 'X-Capture-Frames-Dropped', 'X-Target-Status']);

/** Header Objects, as components. */
export const HEADER_COMPONENTS: JsonObject = Object.fromEntries(
  Object.entries(TEXTS).map(([name, description]) => [name, { description, schema: { type: INTEGERS.has(name) ? 'integer' : 'string' } }]),
);

/** The headers as references into the components. */
export function headersOf(...names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of a plugin's own endpoint: those that are no component are described in place. */
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
  'X-Capture-Method',
  'X-Capture-Frames-Dropped',
];

const KEPT: readonly HeaderName[] = ['Cache-Status', 'Cache-Control', 'ETag', 'Last-Modified', 'Age'];

/** Headers of a render's answer; those of a cache where there may be one. */
export const RENDER_HEADERS: JsonObject = headersOf(...RENDERED, ...KEPT);
