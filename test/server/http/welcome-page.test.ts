import { createHash } from 'node:crypto';
import { definePlugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { useServers } from '../test-server.js';

const start = useServers();
const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const pages = definePlugin({
  name: 'pages',
  flags: {
    'server-enable-file': { type: 'boolean', description: 'The file.', 'x-paths': ['/openapi.json'] },
    'server-enable-pages': { type: 'boolean', description: 'The pages.', 'x-paths': ['/playground', '/openapi.json'] },
  },
});

describe('GET / without parameters', () => {
  it.each([
    [CHROME, 200, /^text\/html/],
    ['text/*', 200, /^text\/html/],
    ['text/html;q=0.5, application/json', 400, /^application\/problem\+json/],
    ['*/*', 400, /^application\/problem\+json/],
    ['image/png', 400, /^application\/problem\+json/],
  ])('for %s is %i', async (accept, status, type) => {
    const server = await start({});
    const answer = await fetch(server.url, { headers: { accept } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toMatch(type);
    expect(answer.headers.get('Vary')).toContain('Accept');
    if (status === 400) expect(await answer.json()).toMatchObject({ code: 'invalid_parameters', detail: '"url" is required' });
  });

  it('is a page with one script, whose examples and links are of this server', async () => {
    const server = await start({ plugins: [pages] });
    const answer = await fetch(server.url, { headers: { accept: CHROME } });
    const html = await answer.text();
    const policy = answer.headers.get('Content-Security-Policy');
    expect(policy).toMatch(/^default-src 'none'; .*; frame-ancestors 'none'$/);
    expect(policy).not.toContain('unsafe');
    for (const [, tag = '', text = ''] of html.matchAll(/<(script|style)>([^]*?)<\/\1>/g)) {
      expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
    expect(html.match(/<script|\son\w+=/g)).toEqual(['<script']);
    expect(html).toContain('<link rel="icon" href="data:image/svg+xml,');
    expect(html).toContain(`curl --fail-with-body '${server.url}/?url=https://example.com/&amp;output_type=png' -o page.png`);
    expect(html).toContain('<a href="?url=https://example.com/&amp;output_type=html">html</a>');
    expect(html).toContain('playground: every parameter in a form. Start the server with <code>--server-enable-pages</code>.');
  });

  it('links the pages that are enabled', async () => {
    const server = await start({ plugins: [pages], flags: { 'server-enable-pages': true } });
    const html = await (await fetch(server.url, { headers: { accept: CHROME } })).text();
    expect(html).toContain('<a href="playground">playground</a>');
    expect(html).toContain('<a href="openapi.json">openapi.json</a>');
  });

  it.each(['output_type=png', 'nosuchkey', 'url='])('with ?%s is a request for a render', async (query) => {
    const server = await start({});
    const answer = await server.get(query, { headers: { accept: CHROME } });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/problem\+json/);
  });
});

it.each([
  ['/openapi.json', 'start the server with --server-enable-file or --server-enable-pages'],
  ['/playground', 'start the server with --server-enable-pages'],
  ['/playground/', 'start the server with --server-enable-pages'],
  ['/playground/app.js', 'start the server with --server-enable-pages'],
  ['/playgrounds', 'renders are at /,'],
  ['/mcp', 'renders are at /,'],
])('the 404 of %s says: %s', async (path, hint) => {
  const server = await start({ plugins: [pages] });
  const answer = await fetch(`${server.url}${path}`);
  expect(answer.status).toBe(404);
  expect(((await answer.json()) as { detail: string }).detail).toContain(`there is nothing at ${path}: ${hint}`);
});

it('the 404 of a path that is enabled elsewhere names no flag', async () => {
  const server = await start({ plugins: [pages], flags: { 'server-enable-file': true } });
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toMatchObject({ detail: expect.stringContaining('renders are at /,') });
});
