import authBasic from '@platen/plugin-auth-basic';
import authSignedUrl from '@platen/plugin-auth-signed-url';
import authToken from '@platen/plugin-auth-token';
import cache from '@platen/plugin-cache';
import openapi from '@platen/plugin-openapi';
import { PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { rendered } from '../../../server/test-server.js';
import { makeFolder, startMetrics } from './metrics-server.js';

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const AUTH = [authBasic, authToken, authSignedUrl];

describe('beside the plugins that ask for credentials', () => {
  it('--server-prometheus-auth alone opens /metrics, and only that', async () => {
    const flags = { 'server-basic-auth': ['me:main'], 'server-prometheus-auth': ['ops:secret'] };
    const server = await startMetrics({ plugins: AUTH, flags });
    expect((await server.ask('/metrics', { headers: basic('ops:secret') })).status).toBe(200);
    expect((await server.ask('/metrics', { headers: basic('me:main') })).status).toBe(401);
    expect((await server.ask('/', { headers: basic('ops:secret') })).status).toBe(401);
  });

  it.each([
    ['server-basic-auth', ['me:main'], basic('me:main')],
    ['server-token-auth', ['me:main'], { authorization: 'Bearer main' }],
  ])("without it /metrics takes the server's %s", async (flag, secrets, headers) => {
    const server = await startMetrics({ plugins: AUTH, flags: { [flag]: secrets } });
    expect((await server.ask('/metrics')).status).toBe(401);
    expect((await server.ask('/metrics', { headers })).status).toBe(200);
  });

  it('counts why they refuse, and where', async () => {
    const server = await startMetrics({ plugins: AUTH, flags: { 'server-token-auth': ['main'], 'server-signed-url': ['shared'] } });
    await server.ask('/?url=http://a.test/&output_type=html&expires=99999999999&signature=00');
    await server.ask('/?url=http://a.test/&expires=1&signature=00');
    await server.ask('/?url=http://a.test/', { headers: { authorization: 'Bearer wrong' } });
    await server.ask('/assets?id=x');
    const scrape = await server.scrape({ authorization: 'Bearer main' });
    const failures = scrape.samples.filter(({ name }) => name === 'svc_auth_failures_total');
    expect(failures.map(({ labels: { endpoint, format, reason } }) => `${endpoint ?? ''} ${format ?? ''} ${reason ?? ''}`)).toEqual([
      'GET / html bad_signature',
      'GET / none bad_signature',
      'GET / none wrong_credential',
      'GET /assets none missing_credential',
    ]);
  });
});

describe('who asks', () => {
  it('is counted by the names that the operator gave, and nobody else is', async () => {
    const server = await startMetrics({ plugins: AUTH, flags: { 'server-token-auth': ['ann:one', 'bob:two'] } });
    for (const token of ['one', 'one', 'two', 'three']) {
      await server.ask('/?url=http://a.test/', { headers: { authorization: `Bearer ${token}` } });
    }
    await server.ask('/?nonsense', { headers: { authorization: 'Bearer two' } });
    // A plugin renders for a request, which is counted itself.
    const { signal } = new AbortController();
    await server.server.api.render({ endpoint: 'guest', identity: 'ann', source: 'body', raw: { url: 'http://a.test/' }, signal });
    const { samples } = await server.scrape({ authorization: 'Bearer one' });
    expect(
      samples.filter(({ name }) => name === 'svc_requests_by_identity_total').map(({ labels, value }) => ({ ...labels, value })),
    ).toEqual([
      { identity: 'ann', outcome: 'success', value: 2 },
      { identity: 'bob', outcome: 'success', value: 1 },
      { identity: 'bob', outcome: 'client_error', value: 1 },
    ]);
  });
});

describe('beside the cache', () => {
  it('times a render once, however many requests shared it, and counts what fails as a miss', async () => {
    const folder = await makeFolder();
    let release = () => {};
    const freed = new Promise<void>((resolve) => (release = resolve));
    const server = await startMetrics({
      plugins: [cache],
      flags: { 'server-cache': folder },
      render: async (plan, options) => {
        await freed;
        if (plan.url.endsWith('/fails')) throw new PlatenError('page_crashed', 'it crashed');
        return await rendered(plan, options);
      },
    });
    const answers = ['', '', '', 'fails'].map((path) => server.get(`url=http://a.test/${path}`));
    await until(async () => (await server.scrape()).value('svc_http_requests_pending', { endpoint: 'GET /' }) === 4);
    release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 502]);
    await until(() => server.records.filter(({ endpoint }) => endpoint === 'GET /').length === 4);
    const scrape = await server.scrape();
    expect(scrape.value('svc_render_phase_duration_seconds_count', { phase: 'capture' })).toBe(1);
    expect(scrape.value('svc_cache_requests_total', { result: 'miss' })).toBe(4);
    expect(scrape.value('svc_request_duration_seconds_count', { cache: 'miss', status: '502' })).toBe(1);
  });

  it('counts hits and misses, and reads what it holds', async () => {
    const folder = await makeFolder();
    const server = await startMetrics({ plugins: [cache], flags: { 'server-cache': folder, 'server-cache-size-limit': 1_000_000 } });
    const path = '/?url=http://a.test/';
    await server.ask(path);
    await until(async () => (await server.scrape()).value('svc_cache_entries') === 1);
    await server.ask(path);
    const scrape = await server.scrape();
    expect(scrape.value('svc_cache_requests_total', { result: 'miss' })).toBe(1);
    expect(scrape.value('svc_cache_requests_total', { result: 'hit' })).toBe(1);
    expect(scrape.value('svc_request_duration_seconds_count', { format: 'png', cache: 'hit', status: '200' })).toBe(1);
    expect(scrape.value('svc_cache_bytes')).toBeGreaterThan('a png'.length);
    expect(scrape.value('svc_cache_limit_bytes')).toBe(1_000_000);
  });
});

describe('beside the OpenAPI document', () => {
  const documented = async (flags: Readonly<Record<string, unknown>>) => {
    const server = await startMetrics({ plugins: [openapi], flags: { 'server-enable-schema': true, ...flags } });
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };
    return document.paths['/metrics']?.get;
  };

  it('the endpoint is told of, with the credential that it alone takes', async () => {
    expect(await documented({})).toMatchObject({
      responses: { 200: { content: { 'text/plain': {}, 'application/openmetrics-text': {} } } },
    });
    expect(await documented({ 'server-prometheus-auth': ['ops:secret'] })).toMatchObject({ security: [{ metrics: [] }] });
  });

  it('but not where it has a listener of its own', async () => {
    expect(await documented({ 'server-prometheus-bind-port': 0 })).toBeUndefined();
  });
});
