import type { EndpointDescription } from '@platen/server';

const COUNT = { type: 'integer', minimum: 0 };

const STATUS_SCHEMA = {
  type: 'object',
  required: ['status', 'in_flight', 'queued', 'max_concurrency', 'uptime_seconds', 'version'],
  properties: {
    status: { type: 'string', enum: ['ok', 'degraded', 'draining'] },
    in_flight: { ...COUNT, description: 'Renders in progress.' },
    queued: { ...COUNT, description: 'Queued renders.' },
    max_concurrency: { ...COUNT, description: 'Maximum number of concurrent renders.' },
    walks: {
      type: 'array',
      description: 'The crawls and sitemap walks that are running: pages that are done, queued and failed, and bytes of the archive.',
      items: { type: 'object', properties: { done: COUNT, queued: COUNT, failed: COUNT, bytes: COUNT } },
    },
    uptime_seconds: COUNT,
    version: { type: 'string' },
  },
};

const STATUS: EndpointDescription = {
  method: 'get',
  path: '/status',
  summary: 'State of the server',
  description: 'For readiness and health checks: never waits for a browser. Requires no credentials.',
  answers: {
    200: {
      description: 'The server accepts requests.',
      content: { 'application/json': STATUS_SCHEMA },
      headers: { 'Cache-Control': '`no-store`.' },
    },
    503: {
      description: 'The server is shutting down (`draining`), or no browser can open a page (`degraded`).',
      content: { 'application/json': STATUS_SCHEMA },
      headers: { 'Retry-After': 'Seconds to wait before a retry.', 'Cache-Control': '`no-store`.' },
    },
  },
  credentials: {},
};

const ASSET_HEADERS = {
  'Content-Disposition': 'File name derived from the target.',
  'Accept-Ranges': '`bytes`.',
  'Cache-Control': '`private`, with the remaining lifetime of the asset.',
  ETag: 'Validator for conditional requests.',
  'Last-Modified': 'Creation time of the asset.',
};

/** Signed like the query of a render, not with dedicated credentials. */
export const ASSETS: EndpointDescription = {
  method: 'get',
  path: '/assets',
  summary: 'Additional asset of a render',
  description: 'A file that a render produced in addition to its output. The `Link` header of the render links to it.',
  parameters: [
    {
      name: 'id',
      in: 'query',
      required: true,
      description: 'The value in the link.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
      example: 'nUkSnXkCkI2t0vJ3m3bq4A',
    },
    {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'A single byte range.',
      schema: { type: 'string' },
      example: 'bytes=0-1023',
    },
  ],
  answers: {
    200: { description: 'The asset, with its content type.', content: { '*/*': {} }, headers: ASSET_HEADERS },
    206: { description: 'The requested range.', content: { '*/*': {} }, headers: { ...ASSET_HEADERS, 'Content-Range': 'The range.' } },
    304: { description: 'Not modified.', headers: { ETag: 'The same validator.' } },
  },
  errors: ['invalid_parameters', 'not_found', 'gone', 'precondition_failed', 'range_not_satisfiable'],
};

const UNCHANGED = { description: 'Not modified.', headers: { ETag: 'The same validator.' } };
const VALIDATORS = { ETag: 'Validator for conditional requests.', 'Cache-Control': '`no-cache`: revalidate; the response may be 304.' };

const DOCUMENT: EndpointDescription = {
  method: 'get',
  path: '/openapi.json',
  summary: 'This document',
  description: 'OpenAPI 3.1 document of the enabled plugins.',
  answers: {
    200: { description: 'The document.', content: { 'application/json': { type: 'object' } }, headers: VALIDATORS },
    304: UNCHANGED,
  },
};

/** A file of the documentation, which not every installation has. */
function describeGuide(path: string, { summary, isOpen }: { readonly summary: string; readonly isOpen: boolean }): EndpointDescription {
  const page = describePage(path, { summary, isOpen });
  return { ...page, errors: [...(page.errors ?? []), 'not_found'] };
}

/** Open pages require no credentials, but refuse wrong ones. */
function describePage(path: string, { summary, isOpen }: { readonly summary: string; readonly isOpen: boolean }): EndpointDescription {
  return {
    method: 'get',
    path,
    summary,
    answers: { 200: { description: 'A page.', content: { 'text/html': { type: 'string' } }, headers: VALIDATORS }, 304: UNCHANGED },
    ...(isOpen
      ? {
          description: 'Requires no credentials: the page contains no data of this server, and sends a token with its requests.',
          credentials: {},
          errors: ['unauthorized'],
        }
      : {}),
  };
}

/** The server's endpoints other than renders, and those of this plugin. */
export function listOwnEndpoints({ pages, isOpen }: { readonly pages: boolean; readonly isOpen: boolean }): readonly EndpointDescription[] {
  return [
    STATUS,
    ASSETS,
    DOCUMENT,
    ...(pages
      ? [
          describePage('/docs', { summary: 'API page', isOpen }),
          describePage('/playground', { summary: 'Playground', isOpen }),
          describeGuide('/guide', { summary: 'Documentation', isOpen }),
        ]
      : []),
  ];
}
