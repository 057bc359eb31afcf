import { createHash } from 'node:crypto';
import { request as rawRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import openapi from '@platen/plugin-openapi';
import { afterEach, describe, expect, it } from 'vitest';
import { openServer, type TestServer, type TestServerOptions } from '../../../server/test-server.js';
import { BASIC, TOKEN } from './open-documented.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function start(flags: Readonly<Record<string, unknown>>, plugins: TestServerOptions['plugins'] = []): Promise<TestServer> {
  const server = await openServer({ plugins: [...plugins, openapi], flags });
  open.push(server);
  return server;
}

const PAGES = ['/docs', '/playground', '/playground/frame', '/playground/playground.js', '/playground/style.css'];

/** Without the headers that `fetch` adds of its own. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = rawRequest(url, { headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('what is enabled', () => {
  it('without a flag there is nothing', async () => {
    const server = await start({});
    for (const path of [...PAGES, '/openapi.json']) expect((await fetch(server.url + path)).status, path).toBe(404);
  });

  it('--server-enable-schema serves the document alone, and tells of no page', async () => {
    const server = await start({ 'server-enable-schema': true });
    const response = await fetch(`${server.url}/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json');
    const { paths } = await response.json();
    expect(Object.keys(paths)).toEqual(['/', '/status', '/assets', '/openapi.json']);
    for (const path of PAGES) expect((await fetch(server.url + path)).status, path).toBe(404);
  });

  it('--server-enable-docs serves the pages and the document that they read', async () => {
    const server = await start({ 'server-enable-docs': true });
    for (const path of [...PAGES, '/openapi.json']) expect((await fetch(server.url + path)).status, path).toBe(200);
    const { paths } = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/docs', '/playground']));
    for (const path of ['/playground/nothing.js', '/playground/../package.json', '/playground/..%2Fpackage.json', '/docs/']) {
      const { status, headers } = await fetch(server.url + path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 404, 'application/problem+json']);
    }
    expect((await fetch(`${server.url}/docs`, { method: 'POST' })).status).toBe(405);
  });
});

describe('a copy that still holds', () => {
  it('every file has an ETag, is asked for again, and 304 where it did not change', async () => {
    const server = await start({ 'server-enable-docs': true });
    for (const path of [...PAGES, '/openapi.json']) {
      const { headers } = await fetch(server.url + path);
      const etag = headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(await statusOf(server.url + path, { 'if-none-match': etag })).toBe(304);
      expect(await statusOf(server.url + path, { 'if-none-match': `"other", W/${etag}` })).toBe(304);
      expect(await statusOf(server.url + path, { 'if-none-match': '"other"' })).toBe(200);
    }
  });

  it('the document is computed once, before the server listens', async () => {
    let times = 0;
    const server = await start({ 'server-enable-schema': true }, [
      {
        name: 'guest',
        serve({ hooks }) {
          hooks.describe.tap('guest', (description) => {
            times += 1;
            return description;
          });
        },
      },
    ]);
    expect(times).toBe(1);
    await fetch(`${server.url}/openapi.json`);
    await fetch(`${server.url}/openapi.json`);
    expect(times).toBe(1);
  });
});

describe('what the pages may do', () => {
  it('their own scripts, this server, and nothing else', async () => {
    const server = await start({ 'server-enable-docs': true });
    for (const path of ['/docs', '/playground']) {
      const policy = (await fetch(server.url + path)).headers.get('content-security-policy');
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-src 'self' blob:",
        "connect-src 'self'",
        "img-src 'self' blob: data:",
        "frame-ancestors 'none'",
      ]) {
        expect(policy?.split(/[;,] /)).toContain(rule);
      }
      // The second policy: of this origin's files only those in its folder.
      expect(policy).toMatch(/, script-src \*:\*\/playground\/; style-src \*:\*\/playground\/$/);
      expect(policy).not.toContain('unsafe');
      const html = await (await fetch(server.url + path)).text();
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|https?:/);
    }
  });

  it('the frame of rendered HTML has no origin, no connection, and no script but its own', async () => {
    const server = await start({ 'server-enable-docs': true });
    const response = await fetch(`${server.url}/playground/frame`);
    const script = /<script>([\s\S]*?)<\/script>/.exec(await response.text())?.[1] ?? '';
    const policy = response.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox allow-scripts', "frame-ancestors 'self'"]));
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  });

  it('other files and other endpoints keep the sandbox that all answers have', async () => {
    const server = await start({ 'server-enable-docs': true });
    for (const path of ['/openapi.json', '/playground/style.css', '/status', '/?url=http://a.test/&output_type=html']) {
      expect((await fetch(server.url + path)).headers.get('content-security-policy'), path).toBe('sandbox');
    }
  });
});

describe('credentials', () => {
  const statuses = async (server: TestServer, headers: Record<string, string> = {}) =>
    Object.fromEntries(
      await Promise.all(
        [...PAGES, '/openapi.json'].map(async (path) => [path, (await fetch(server.url + path, { headers })).status] as const),
      ),
    );
  const all = (status: number) => Object.fromEntries([...PAGES, '/openapi.json'].map((path) => [path, status]));

  it('with Basic all of it asks, so that the browser does', async () => {
    const server = await start({ 'server-enable-docs': true, 'server-basic-auth': ['me:pw'] }, [BASIC]);
    expect(await statuses(server)).toEqual(all(401));
    expect(await statuses(server, { authorization: `Basic ${btoa('me:pw')}` })).toEqual(all(200));
  });

  it('with a token the pages come without one, since a browser cannot send it; what they read and do needs it', async () => {
    const server = await start({ 'server-enable-docs': true, 'server-token-auth': ['yes'] }, [TOKEN]);
    expect(await statuses(server)).toEqual({ ...all(200), '/openapi.json': 401 });
    expect(await statuses(server, { authorization: 'Bearer yes' })).toEqual(all(200));
    expect(await statuses(server, { authorization: 'Bearer no' })).toEqual(all(401));
    expect((await server.get('url=http://a.test/')).status).toBe(401);
    expect((await fetch(`${server.url}/docs`, { method: 'POST' })).status).toBe(401);
    expect((await fetch(`${server.url}/playground/a/b`)).status).toBe(401);
  });
});
