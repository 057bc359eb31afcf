import type { EndpointDescription } from '@platen/server';

const COUNT = { type: 'integer', minimum: 0 };

const STATUS_SCHEMA = {
  type: 'object',
  required: ['status', 'in_flight', 'queued', 'max_concurrency', 'uptime_seconds', 'version'],
  properties: {
    status: { type: 'string', enum: ['ok', 'degraded', 'draining'] },
    in_flight: { ...COUNT, description: 'Renders under way.' },
    queued: { ...COUNT, description: 'Renders that wait their turn.' },
    max_concurrency: { ...COUNT, description: 'Renders at once.' },
    uptime_seconds: COUNT,
    version: { type: 'string' },
  },
};

const STATUS: EndpointDescription = {
  method: 'get',
  path: '/status',
  summary: 'State of the server',
  description: 'For readiness and health checks: it never waits for a browser. Asks for no credentials.',
  answers: {
    200: {
      description: 'The server takes requests.',
      content: { 'application/json': STATUS_SCHEMA },
      headers: { 'Cache-Control': '`no-store`.' },
    },
    503: {
      description: 'It is shutting down (`draining`), or no browser can open a page (`degraded`).',
      content: { 'application/json': STATUS_SCHEMA },
      headers: { 'Retry-After': 'Seconds until another try makes sense.', 'Cache-Control': '`no-store`.' },
    },
  },
  credentials: {},
};

const ASSET_HEADERS = {
  'Content-Disposition': 'A file name made from the target.',
  'Accept-Ranges': '`bytes`.',
  'Cache-Control': 'Private, for as long as the asset lives.',
  ETag: 'A validator for conditional requests.',
  'Last-Modified': 'When the asset was made.',
};

/** Signed like a render's query, so it is no credential of its own. */
export const ASSETS: EndpointDescription = {
  method: 'get',
  path: '/assets',
  summary: 'Additional asset of a render',
  description: 'What a render made beside its output. Links to it are in the `Link` header of the render.',
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'As in the link.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
      example: 'nUkSnXkCkI2t0vJ3m3bq4A',
    },
    {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'One range of bytes.',
      schema: { type: 'string' },
      example: 'bytes=0-1023',
    },
  ],
  answers: {
    200: { description: 'The asset, with its own content type.', content: { '*/*': {} }, headers: ASSET_HEADERS },
    206: { description: 'A part of it.', content: { '*/*': {} }, headers: { ...ASSET_HEADERS, 'Content-Range': 'Which part.' } },
    304: { description: "The client's copy still holds.", headers: { ETag: 'The same validator.' } },
  },
  errors: ['invalid_parameters', 'not_found', 'gone', 'precondition_failed', 'range_not_satisfiable'],
};

const UNCHANGED = { description: "The client's copy still holds.", headers: { ETag: 'The same validator.' } };
const VALIDATORS = { ETag: 'A validator for conditional requests.', 'Cache-Control': '`no-cache`: ask again, the answer may be 304.' };

const DOCUMENT: EndpointDescription = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This document',
  description: 'OpenAPI 3.1, made from the plugins that are on.',
  answers: {
    200: { description: 'The document.', content: { 'application/json': { type: 'object' } }, headers: VALIDATORS },
    304: UNCHANGED,
  },
};

/** Where they are open, nobody needs credentials; wrong ones are refused all the same. */
function describePage(path: string, { summary, isOpen }: { readonly summary: string; readonly isOpen: boolean }): EndpointDescription {
  return {
    method: 'get',
    path,
    summary,
    answers: { 200: { description: 'A page.', content: { 'text/html': { type: 'string' } }, headers: VALIDATORS }, 304: UNCHANGED },
    ...(isOpen
      ? {
          description: 'Asks for no credentials: it holds nothing of this server, and sends a token with what it asks for.',
          credentials: {},
          errors: ['unauthorized'],
        }
      : {}),
  };
}

/** What the server has besides the renders, whichever plugins are on, and this plugin's own. */
export function listOwnEndpoints({ pages, isOpen }: { readonly pages: boolean; readonly isOpen: boolean }): readonly EndpointDescription[] {
  return [
    STATUS,
    ASSETS,
    DOCUMENT,
    ...(pages
      ? [describePage('/docs', { summary: 'API page', isOpen }), describePage('/playground', { summary: 'Playground', isOpen })]
      : []),
  ];
}
