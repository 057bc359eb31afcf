import { definePlugin, NO_ASSETS, PlatenError } from '@platen/kernel';
import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { output, rendered, serving, useServers } from '../test-server.js';

const start = useServers();

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
      hooks.authorize.tapPromise('guest', async ({ query, strip }) => {
        if (query.includes('signature=')) strip('signature', 'expires');
        return undefined;
      });
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

describe('purge', () => {
  it('204 for what went, 410 for what was not there, 404 where nothing is kept; everything without parameters', async () => {
    const purged: (string | undefined)[] = [];
    const plugin = serving(({ hooks }) => {
      hooks.purge.tap('guest', (plan) => {
        purged.push(plan?.url);
        return plan === undefined ? false : plan.url.endsWith('/kept');
      });
    });
    const server = await start({ plugins: [plugin] });
    const purge = (query: string) => server.get(query, { method: 'DELETE' });
    expect((await purge('url=http://a.test/kept')).status).toBe(204);
    expect((await purge('url=http://a.test/other')).status).toBe(410);
    expect((await purge('')).status).toBe(204);
    expect((await purge('url=http://a.test/kept&x=1')).status).toBe(400);
    expect(purged).toEqual(['http://a.test/kept', 'http://a.test/other', undefined]);
    expect((await (await start({})).get('url=http://a.test/', { method: 'DELETE' })).status).toBe(404);
  });
});

describe('assetLink', () => {
  it("changes the query of every asset's link, and knows until when it lives", async () => {
    const plugin = serving(({ hooks }) => {
      hooks.assetLink.tap('guest', (query, { expiresAt }) => {
        query.set('expires', String(Math.floor(expiresAt.getTime() / 1000)));
        return query;
      });
    });
    const server = await start({
      plugins: [plugin],
      render: async (plan, options) => {
        const result = await rendered(plan, options);
        const head = { name: 'har', contentType: 'application/json', extension: 'har' };
        const signal = new AbortController().signal;
        const kept = await options.store?.put(head, Buffer.from('{}'), signal);
        return { ...result, assets: { kept: kept === undefined ? [] : [kept], missing: [] } };
      },
    });
    const link = (await server.get('url=http://a.test/')).headers.get('link');
    expect(link).toMatch(/^<\/assets\?id=[\w-]{22}&expires=\d{10}>; rel="related"; type="application\/json"; title="har"$/);
  });
});

describe('status', () => {
  it('a tap may know better how many wait', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.status.tap('guest', (report) => ({ ...report, queued: report.queued + 3, max_concurrency: 4 }));
    });
    const server = await start({ plugins: [plugin] });
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ status: 'ok', queued: 3, max_concurrency: 4 });
  });
});

describe('describe', () => {
  it('each plugin tells of its endpoints, and any of them may read what all have told', async () => {
    const endpoint = { method: 'get', path: '/hello', summary: 'Hello', answers: { 200: { description: 'A greeting.' } } } as const;
    let told: unknown;
    const plugin = serving((server) => {
      server.hooks.describe.tap('guest', (description) => ({ ...description, endpoints: [...description.endpoints, endpoint] }));
      server.hooks.start.tap('guest', () => {
        told = server.describe();
      });
    });
    await start({ plugins: [plugin] });
    expect(told).toEqual({ endpoints: [endpoint], renders: { parameters: [], answers: {} } });
  });

  it('what a tap throws names the plugin and ends the start', async () => {
    const plugin = serving((server) => {
      server.hooks.describe.tap('guest', () => {
        throw new TypeError('boom');
      });
      server.hooks.start.tap('guest', () => {
        server.describe();
      });
    });
    await expect(start({ plugins: [plugin] })).rejects.toMatchObject({ code: 'plugin_failed', plugin: 'guest', hook: 'describe' });
  });
});

describe('flags', () => {
  it.each([
    ['a secret', 'canary', true],
    ['a list of secrets', ['canary'], true],
    ['an empty list', [], false],
    ['a switch that is off', false, false],
    ['nothing', undefined, false],
  ])('that it is given is known of %s, and no more', async (_, value, given) => {
    let seen: boolean | undefined;
    const guest = serving((server) => {
      seen = server.isGiven('the-secret');
    });
    await start({ plugins: [guest], flags: value === undefined ? {} : { 'the-secret': value } });
    expect(seen).toBe(given);
  });

  it('a secret is for the plugin that owns it', async () => {
    let seen: unknown;
    let own: unknown;
    const owner = definePlugin({
      name: 'owner',
      flags: {
        'the-secret': { type: 'string', description: 'Secret.', 'x-secret': true },
        plain: { type: 'string', description: 'Plain.' },
      },
      serve(_server, { options }) {
        own = options['the-secret'];
      },
    });
    const guest = serving(({ flags }) => {
      seen = flags;
    });
    await start({ plugins: [owner, guest], flags: { 'the-secret': 'canary', plain: 'p' } });
    expect(own).toBe('canary');
    expect(seen).toMatchObject({ plain: 'p' });
    expect(JSON.stringify(seen)).not.toContain('canary');
  });
});

describe('finished', () => {
  it('knows the output type of a request that was refused unread, if there is one of that name', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.authorize.tap('guest', () => {
        throw new PlatenError('unauthorized', 'credentials are required');
      });
    });
    const server = await start({ plugins: [plugin] });
    await server.get('url=http://a.test/&output_type=html');
    await server.get('url=http://a.test/&output_type=<script>');
    expect(server.records.map(({ format }) => format)).toEqual(['html', undefined]);
  });

  it('knows the endpoint of a request that was refused before it got there', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.authorize.tap('guest', () => {
        throw new PlatenError('unauthorized', 'credentials are required');
      });
    });
    const things = definePlugin({
      name: 'things',
      serve({ hooks }) {
        hooks.routes.tap('things', (router) => {
          router.get('/things/:id', () => undefined);
        });
      },
    });
    const server = await start({ plugins: [plugin, things] });
    await server.get('url=http://a.test/');
    await fetch(`${server.url}/things/secret`);
    await fetch(`${server.url}/`, { method: 'HEAD' });
    await fetch(`${server.url}/status`, { method: 'POST' });
    await fetch(`${server.url}/some/scanner.php`);
    expect(server.records.map(({ endpoint }) => endpoint)).toEqual(['GET /', 'GET /things/:id', 'HEAD /', 'other', 'other']);
  });

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
