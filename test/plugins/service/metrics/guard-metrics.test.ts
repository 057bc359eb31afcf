import { definePlugin, PlatenError } from '@platen/kernel';
import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { startMetrics } from './metrics-server.js';

const basic = (text: string) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } });
const FLAG = 'server-prometheus-auth';

/** The main server's credential: `Bearer main` for everything. */
const mainAuth = definePlugin({
  name: 'main-auth',
  serve({ hooks }) {
    hooks.authorize.tap('main-auth', ({ headers }) => {
      if (headers.authorization === 'Bearer main') return { identity: 'main' };
      throw new PlatenError('unauthorized', 'credentials are required', { reason: 'missing_credential' });
    });
  },
});
const asMain = { headers: { authorization: 'Bearer main' } };

describe('authentication, rule 7: /metrics', () => {
  it('when --server-prometheus-auth is set, only that Basic credential is accepted', async () => {
    const server = await startMetrics({ plugins: [mainAuth], flags: { [FLAG]: ['ops:secret'] } });
    expect((await server.ask('/metrics', basic('ops:secret'))).status).toBe(200);
    expect((await server.ask('/metrics', { ...basic('ops:secret'), method: 'HEAD' })).status).toBe(200);
    const refused = await server.ask('/metrics', asMain);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Basic realm="Platen", charset="UTF-8"');
    expect(await refused.json()).toMatchObject({ code: 'unauthorized' });
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) expect((await server.ask('/metrics', { method })).status).toBe(401);
  });

  it('and it opens nothing else', async () => {
    const server = await startMetrics({ plugins: [mainAuth], flags: { [FLAG]: ['ops:secret'] } });
    for (const path of ['/', '/status', '/metrics/', '/Metrics', '//metrics', '/metric%73'])
      expect((await server.ask(path, basic('ops:secret'))).status, path).toBe(401);
    expect((await server.ask('/?url=http://a.test/', asMain)).status).toBe(200);
    for (const path of ['/metrics/', '/Metrics', '//metrics', '/metric%73'])
      expect((await server.ask(path, asMain)).status, path).toBe(404);
  });

  it("otherwise /metrics takes the main server's credentials", async () => {
    const server = await startMetrics({ plugins: [mainAuth] });
    expect((await server.ask('/metrics', asMain)).status).toBe(200);
    expect((await server.ask('/metrics')).status).toBe(401);
    expect(
      (await server.scrape(asMain.headers)).value('svc_auth_failures_total', { endpoint: 'GET /metrics', reason: 'missing_credential' }),
    ).toBe(1);
  });

  it('and is open when the server has none', async () => {
    expect((await (await startMetrics()).ask('/metrics')).status).toBe(200);
  });
});

describe('--server-prometheus-auth', () => {
  it('lets in each of several users, who are named in the log, and counts why others are not', async () => {
    const server = await startMetrics({ flags: { [FLAG]: ['ops:secret', 'jürgen:pass:wörd'] } });
    await server.ask('/metrics', basic('ops:secret'));
    await server.ask('/metrics', basic('jürgen:pass:wörd'));
    expect(server.records.map(({ identity }) => identity)).toEqual(['ops', 'jürgen']);
    await server.ask('/metrics', basic('ops:wrong'));
    await server.ask('/metrics');
    const scrape = await server.scrape(basic('ops:secret').headers);
    const failures = { endpoint: 'GET /metrics', format: 'none' };
    expect(scrape.value('svc_auth_failures_total', { ...failures, reason: 'wrong_credential' })).toBe(1);
    expect(scrape.value('svc_auth_failures_total', { ...failures, reason: 'missing_credential' })).toBe(1);
  });
});
