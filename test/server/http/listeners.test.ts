import { PlatenError } from '@platen/kernel';
import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { openServer, serving, useServers } from '../test-server.js';

const start = useServers();

describe('start and stop', () => {
  it('what cannot be had ends the start, naming the plugin, and what was opened is closed', async () => {
    const seen: string[] = [];
    const plugin = serving(({ hooks }) => {
      hooks.start.tap('guest', () => {
        seen.push('start');
        throw new PlatenError('feature_unavailable', 'the list cannot be fetched');
      });
      hooks.stop.tap('guest', () => {
        seen.push('stop');
      });
    });
    await expect(start({ plugins: [plugin] })).rejects.toMatchObject({
      message: 'the list cannot be fetched',
      plugin: 'guest',
      hook: 'start',
    });
    expect(seen).toEqual(['start', 'stop']);
  });

  it('stop comes after the last answer', async () => {
    const seen: string[] = [];
    const plugin = serving(({ hooks }) => {
      hooks.stop.tap('guest', () => {
        seen.push('stop');
      });
      hooks.finished.tap('guest', () => {
        seen.push('finished');
      });
    });
    const server = await openServer({ plugins: [plugin] });
    await server.get('url=http://a.test/');
    await server[Symbol.asyncDispose]();
    expect(seen).toEqual(['finished', 'stop']);
  });
});

describe('listen', () => {
  it('another listener has its paths for itself, with the authorization and the log of the server', async () => {
    let second = '';
    const plugin = serving((api) => {
      api.hooks.routes.tap('guest', (router) => {
        router.get('/private', (ctx) => {
          ctx.body = 'for few';
        });
      });
      api.hooks.authorize.tap('guest', ({ path, headers }) => {
        if (path === '/private' && headers.authorization === undefined) throw new PlatenError('unauthorized', 'credentials are required');
        return { identity: 'alice' };
      });
      api.hooks.start.tapPromise('guest', async () => {
        second = await api.listen({ address: '127.0.0.1', port: 0, paths: ['/private'] });
      });
    });
    const server = await start({ plugins: [plugin] });
    const asAlice = { headers: { authorization: 'x' } };
    expect(await (await fetch(`${second}/private`, asAlice)).text()).toBe('for few');
    expect((await fetch(`${second}/private`)).status).toBe(401);
    expect((await fetch(`${second}/?url=http://a.test/`)).status).toBe(404);
    expect((await fetch(`${server.url}/private`, asAlice)).status).toBe(404);
    expect((await server.get('url=http://a.test/')).status).toBe(200);
    expect(server.records).toMatchObject([
      { endpoint: 'GET /private', identity: 'alice' },
      { endpoint: 'GET /private', status: 401 },
      { endpoint: 'other', status: 404 },
      { endpoint: 'other', status: 404 },
      { endpoint: 'GET /', identity: 'alice' },
    ]);
    await server.server.close(0);
    await expect(fetch(`${second}/private`)).rejects.toThrow('fetch failed');
  });
});
