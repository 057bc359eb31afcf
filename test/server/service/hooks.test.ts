import { definePlugin, NO_ASSETS, PlatenError, type Plugin } from '@platen/kernel';
import type {} from '@platen/server';
import { afterEach, describe, expect, it } from 'vitest';
import { openServer, output, type TestServer, type TestServerOptions } from '../test-server.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function start(options: TestServerOptions): Promise<TestServer> {
  const server = await openServer(options);
  open.push(server);
  return server;
}

const serving = (serve: NonNullable<Plugin['serve']>) => definePlugin({ name: 'guest', serve });

describe('authorize', () => {
  it("refuses with the tap's status and headers, before parameters are looked at", async () => {
    const plugin = serving(({ hooks }) => {
      hooks.authorize.tap('guest', ({ header, headers }) => {
        if (headers.authorization === 'Bearer yes') return {};
        header('WWW-Authenticate', 'Bearer');
        throw new PlatenError('unauthorized', 'credentials are required');
      });
    });
    const server = await start({ plugins: [plugin] });
    const refused = await server.get('nonsense=1');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refused.json()).toMatchObject({ code: 'unauthorized' });
    expect((await server.get('url=http://a.test/', { headers: { authorization: 'Bearer yes' } })).status).toBe(200);
    expect((await fetch(`${server.url}/nowhere`)).status).toBe(401);
  });

  it('takes its credentials out of the query', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.authorize.tapPromise('guest', async ({ query }) =>
        query.includes('signature=') ? { strip: ['signature', 'expires'] } : undefined,
      );
    });
    const server = await start({ plugins: [plugin] });
    expect((await server.get('url=http://a.test/&expires=1&signature=x')).status).toBe(200);
    expect((await server.get('url=http://a.test/&expires=1')).status).toBe(400);
  });
});

describe('routes', () => {
  it("adds endpoints with the server's headers and errors", async () => {
    const plugin = serving(({ hooks }) => {
      hooks.routes.tap('guest', (router) => {
        router.get('/hello', (ctx) => {
          ctx.body = 'hello';
        });
        router.get('/broken', () => {
          throw new Error('secret detail');
        });
      });
    });
    const server = await start({ plugins: [plugin] });
    const hello = await fetch(`${server.url}/hello`);
    expect(await hello.text()).toBe('hello');
    expect(hello.headers.get('x-content-type-options')).toBe('nosniff');
    const broken = await fetch(`${server.url}/broken`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('secret');
    expect((await fetch(`${server.url}/hello`, { method: 'POST' })).headers.get('allow')).toBe('HEAD, GET');
    expect(server.records.map(({ endpoint }) => endpoint)).toEqual(['GET /hello', 'GET /broken', 'other']);
  });
});

describe('beforeRender', () => {
  it('answers instead of the render, and only for valid requests', async () => {
    const seen: string[] = [];
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tap('guest', ({ plan, endpoint }) => {
        seen.push(`${endpoint} ${plan.url}`);
        return plan.url.endsWith('/cached')
          ? { output: output('png', Buffer.from('from the cache')), assets: NO_ASSETS, headers: { 'Cache-Status': 'hit' }, timings: {} }
          : undefined;
      });
    });
    const server = await start({ plugins: [plugin] });
    const answer = await server.get('url=http://a.test/cached');
    expect(await answer.text()).toBe('from the cache');
    expect(answer.headers.get('cache-status')).toBe('hit');
    expect(await (await server.post({ url: 'http://a.test/new' })).text()).toBe('a png');
    expect((await server.get('url=http://a.test/cached&x=1')).status).toBe(400);
    expect(seen).toEqual(['GET / http://a.test/cached', 'POST / http://a.test/new']);
  });

  it('a tap that fails is named, in the log only', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tap('guest', () => {
        throw new TypeError('boom');
      });
    });
    const server = await start({ plugins: [plugin] });
    const over = server.finished(() => true);
    const response = await server.get('url=http://a.test/');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/boom|guest/);
    expect(await over).toMatchObject({ code: 'plugin_failed', error: { plugin: 'guest', hook: 'beforeRender' } });
  });
});

describe('finished', () => {
  it('is told of every request once, with its route and not its path', async () => {
    const server = await start({});
    await server.get('url=http://a.test/');
    await server.get('x=1');
    await fetch(`${server.url}/some/scanner.php`);
    await fetch(`${server.url}/status`);
    expect(server.records).toMatchObject([
      { endpoint: 'GET /', status: 200, bytes: 5, plan: { url: 'http://a.test/' }, timings: { capture: 4 } },
      { endpoint: 'GET /', status: 400, code: 'invalid_parameters' },
      { endpoint: 'other', status: 404, code: 'not_found' },
      { endpoint: 'GET /status', status: 200 },
    ]);
  });

  it('an observer that fails harms nobody', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.finished.tap('guest', () => {
        throw new Error('boom');
      });
    });
    const server = await start({ plugins: [plugin] });
    expect((await server.get('url=http://a.test/')).status).toBe(200);
    expect((await server.get('url=http://a.test/')).status).toBe(200);
  });
});
