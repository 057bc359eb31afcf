import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { serving, useServers } from '../test-server.js';

const start = useServers();

describe('what observers read', () => {
  it('the report holds what a cache says of itself, and GET /status leaves it out', async () => {
    let report: unknown;
    const cache = { entries: 1, bytes: 20, limit_bytes: 300 };
    const plugin = serving(({ hooks, status }) => {
      hooks.status.tap('guest', (plain) => ({ ...plain, cache }));
      hooks.start.tap('guest', () => {
        report = status();
      });
    });
    const server = await start({ plugins: [plugin] });
    expect(report).toMatchObject({ status: 'ok', in_flight: 0, cache });
    expect(await (await fetch(`${server.url}/status`)).json()).not.toHaveProperty('cache');
  });

  it('the endpoints of requests in flight', async () => {
    const plugin = serving(({ hooks, openEndpoints }) => {
      hooks.routes.tap('guest', (router) => {
        router.get('/open', (ctx) => {
          ctx.body = JSON.stringify(openEndpoints());
        });
      });
    });
    const server = await start({ plugins: [plugin] });
    expect(await (await fetch(`${server.url}/open`)).json()).toEqual(['GET /open']);
  });
});
