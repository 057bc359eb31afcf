import { PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { rendered, serving } from '../../../server/test-server.js';
import { caching, clustered, refusing, startMetrics } from './metrics-server.js';

const target = (path = '') => `/?url=${encodeURIComponent(`http://a.test/${path}`)}`;

describe('metrics exposed by /metrics', () => {
  it('HTTP-layer series named svc_http_requests_*', async () => {
    const server = await startMetrics();
    await server.ask(target());
    await server.ask('/nowhere');
    await server.ask('/status', { method: 'HEAD' });
    const scrape = await server.scrape();
    const rendered = { method: 'GET', endpoint: 'GET /', status: '200' };
    expect(scrape.value('svc_http_requests_total', rendered)).toBe(1);
    expect(scrape.value('svc_http_requests_total', { method: 'other', endpoint: 'other', status: '404' })).toBe(1);
    expect(scrape.value('svc_http_requests_total', { method: 'HEAD', endpoint: 'HEAD /status', status: '200' })).toBe(1);
    expect(scrape.value('svc_http_requests_duration_seconds_count', rendered)).toBe(1);
    expect(scrape.value('svc_http_requests_duration_seconds_bucket', { ...rendered, le: '+Inf' })).toBe(1);
    expect(scrape.value('svc_http_requests_duration_seconds_sum', rendered)).toBeGreaterThan(0);
    expect(scrape.value('svc_http_requests_pending', { method: 'GET', endpoint: 'GET /metrics' })).toBe(1);
    expect([...scrape.types].filter(([name]) => name.startsWith('svc_http_requests_'))).toEqual([
      ['svc_http_requests_total', 'counter'],
      ['svc_http_requests_duration_seconds', 'histogram'],
      ['svc_http_requests_pending', 'gauge'],
    ]);
  });

  it('counter svc_requests_total with labels endpoint, format, outcome', async () => {
    const server = await startMetrics();
    await server.ask(`${target()}&output_type=html`);
    await server.ask('/status');
    const scrape = await server.scrape();
    expect(scrape.types.get('svc_requests_total')).toBe('counter');
    expect(scrape.samples.filter(({ name }) => name === 'svc_requests_total')).toEqual([
      { name: 'svc_requests_total', labels: { endpoint: 'GET /', format: 'html', outcome: 'success' }, value: 1 },
      { name: 'svc_requests_total', labels: { endpoint: 'GET /status', format: 'none', outcome: 'success' }, value: 1 },
    ]);
  });

  it('counter svc_auth_failures_total with labels endpoint, format, reason', async () => {
    const server = await startMetrics({ plugins: [refusing] });
    await server.ask('/?output_type=html&reason=wrong_credential');
    const scrape = await server.scrape();
    expect(scrape.types.get('svc_auth_failures_total')).toBe('counter');
    expect(scrape.samples.filter(({ name }) => name === 'svc_auth_failures_total')).toEqual([
      { name: 'svc_auth_failures_total', labels: { endpoint: 'GET /', format: 'html', reason: 'wrong_credential' }, value: 1 },
    ]);
  });

  it('histogram svc_request_duration_seconds with labels format, cache, status', async () => {
    const server = await startMetrics({ plugins: [caching] });
    await server.ask(target());
    await server.ask(target('?hit'));
    await server.ask(target('target_status'));
    const scrape = await server.scrape();
    expect(scrape.types.get('svc_request_duration_seconds')).toBe('histogram');
    expect(scrape.samples.filter(({ name }) => name === 'svc_request_duration_seconds_count').map(({ labels }) => labels)).toEqual([
      { format: 'png', cache: 'miss', status: '200' },
      { format: 'png', cache: 'hit', status: '200' },
      { format: 'png', cache: 'none', status: '502' },
    ]);
  });
});

describe('svc_requests_total: outcome', () => {
  it.each([
    ['', 'success'],
    ['invalid_parameters', 'client_error'],
    ['selector_not_found', 'client_error'],
    ['robots_disallowed', 'client_error'],
    ['target_blocked', 'client_error'],
    ['unauthorized', 'rejected'],
    ['forbidden', 'rejected'],
    ['license_required', 'rejected'],
    ['too_many_requests', 'rejected'],
    ['overloaded', 'rejected'],
    ['draining', 'rejected'],
    ['target_status', 'target_error'],
    ['target_unreachable', 'target_error'],
    ['target_not_page', 'target_error'],
    ['page_crashed', 'target_error'],
    ['render_timeout', 'timeout'],
    ['encode_failed', 'server_error'],
    ['plugin_failed', 'server_error'],
    ['internal', 'server_error'],
    ['feature_unavailable', 'server_error'],
    ['browser_unavailable', 'server_error'],
  ])('"%s" is %s', async (code, outcome) => {
    const server = await startMetrics();
    await server.ask(target(code));
    const scrape = await server.scrape();
    expect(scrape.value('svc_requests_total', { endpoint: 'GET /', format: 'png' })).toBe(1);
    expect(scrape.value('svc_requests_total', { endpoint: 'GET /', format: 'png', outcome })).toBe(1);
    expect(scrape.value('svc_errors_total', { code })).toBe(code === '' ? undefined : 1);
  });

  it('a client that leaves is aborted, with status 499', async () => {
    const controller = new AbortController();
    const server = await startMetrics({
      render: (_plan, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            reject(new PlatenError('client_closed', 'left'));
          });
          controller.abort();
        }),
    });
    const over = server.finished(() => true);
    await expect(fetch(`${server.url}${target()}`, { signal: controller.signal })).rejects.toThrow('aborted');
    await over;
    const scrape = await server.scrape();
    expect(scrape.value('svc_requests_total', { endpoint: 'GET /', outcome: 'aborted' })).toBe(1);
    expect(scrape.value('svc_request_duration_seconds_count', { format: 'png', status: '499' })).toBe(1);
  });
});

describe('svc_auth_failures_total: reason', () => {
  const REASONS = [
    ...['missing_credential', 'wrong_credential', 'missing_signature', 'bad_signature', 'missing_expires', 'expired', 'expires_too_far'],
  ];

  it.each([...REASONS.map((reason) => [`reason=${reason}`, reason]), ['reason=made-up', 'other'], ['unreasoned', 'other']])(
    '"%s" is %s',
    async (query, reason) => {
      const server = await startMetrics({ plugins: [refusing] });
      expect((await server.ask(`/assets?${query}`)).status).toBeGreaterThanOrEqual(401);
      const scrape = await server.scrape();
      expect(scrape.value('svc_auth_failures_total', { endpoint: 'GET /assets', format: 'none', reason })).toBe(1);
    },
  );

  it('no other refusal is one', async () => {
    const server = await startMetrics();
    await server.ask(target('target_blocked'));
    await server.ask('/nowhere');
    expect((await server.scrape()).value('svc_auth_failures_total')).toBeUndefined();
  });
});

describe('what else is counted', () => {
  it('renders: phases, the cache, bytes, and a purge is none', async () => {
    const server = await startMetrics({ plugins: [caching] });
    await server.ask(target());
    await server.ask(target('?hit'));
    await server.ask(target(), { method: 'DELETE' });
    const scrape = await server.scrape();
    for (const phase of ['queue', 'open', 'navigate', 'wait', 'capture', 'encode'])
      expect(scrape.value('svc_render_phase_duration_seconds_count', { phase })).toBe(1);
    expect(scrape.value('svc_render_phase_duration_seconds_sum', { phase: 'capture' })).toBe(0.004);
    expect(scrape.value('svc_cache_requests_total', { result: 'hit' })).toBe(1);
    expect(scrape.value('svc_cache_requests_total', { result: 'miss' })).toBe(1);
    expect(scrape.value('svc_response_bytes_total', { endpoint: 'GET /', format: 'png' })).toBe(2 * 'a png'.length);
    expect(scrape.value('svc_requests_total', { endpoint: 'DELETE /', outcome: 'success' })).toBe(1);
    expect(scrape.samples.filter(({ name }) => name === 'svc_request_duration_seconds_count').map(({ value }) => value)).toEqual([1, 1]);
  });

  it('a render that a client does not wait for: once, when it has ended', async () => {
    const deferring = serving(({ hooks }) => {
      hooks.defer.tap('guest', () => ({ location: '/guest', body: {} }));
    });
    const server = await startMetrics({ plugins: [deferring] });
    await server.ask(target(), { headers: { prefer: 'respond-async' } });
    const scrape = await server.scrape();
    expect(scrape.value('svc_requests_total', { endpoint: 'GET /', outcome: 'success' })).toBe(1);
    expect(scrape.value('svc_request_duration_seconds_count')).toBeUndefined();
  });

  it('a request that was refused before it was planned is one for a render', async () => {
    const server = await startMetrics();
    await server.ask('/?nonsense=1');
    await server.ask('/', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    await server.ask('/status');
    const scrape = await server.scrape();
    expect(scrape.value('svc_request_duration_seconds_count', { format: 'none', cache: 'none', status: '400' })).toBe(2);
    expect(scrape.value('svc_request_duration_seconds_count')).toBe(2);
  });

  it('gauges of the pool, the queue and the cache', async () => {
    const server = await startMetrics({ plugins: [caching] });
    const { capacity } = server.kernel.status();
    const scrape = await server.scrape();
    const values = Object.entries({
      svc_renders_in_flight: 0,
      svc_renders_queued: 0,
      svc_renders_capacity: capacity,
      svc_draining: 0,
      svc_browsers: 0,
      svc_browser_pages_warm: 0,
      svc_browser_pages_busy: 0,
      svc_browser_pages_capacity: capacity,
      svc_browser_restarts_total: 0,
      svc_build_info: 1,
      svc_cache_entries: 3,
      svc_cache_bytes: 4000,
      svc_cache_limit_bytes: 5000,
    });
    expect(values.map(([name]) => [name, scrape.value(name)])).toEqual(values);
    expect(scrape.value('svc_build_info', { version: server.kernel.version, node: process.versions.node })).toBe(1);
    expect(scrape.value('svc_process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(scrape.value('svc_nodejs_eventloop_lag_p99_seconds')).toBeDefined();
    expect((await (await startMetrics()).scrape()).types.has('svc_cache_bytes')).toBe(false);
  });

  it('gauges and counters of a cluster, with its role, and none without one', async () => {
    const scrape = await (await startMetrics({ plugins: [clustered] })).scrape();
    const series = scrape.samples.filter(({ name }) => name.startsWith('svc_cluster_'));
    expect(Object.fromEntries(series.map(({ name, value }) => [name, value]))).toEqual({
      svc_cluster_queue_up: 1,
      svc_cluster_jobs_queued: 5,
      svc_cluster_jobs_active: 2,
      svc_cluster_workers: 3,
      svc_cluster_capacity: 6,
      svc_cluster_attempts_total: 4,
      svc_cluster_attempts_lost_total: 1,
    });
    expect(series.map(({ labels }) => labels)).toEqual(series.map(() => ({ role: 'front' })));
    expect(scrape.types.get('svc_cluster_attempts_total')).toBe('counter');
    const alone = await (await startMetrics()).scrape();
    expect(alone.samples.filter(({ name }) => name.startsWith('svc_cluster_'))).toEqual([]);
  });

  it('renders in progress, also those that wait', async () => {
    let release = () => {};
    const freed = new Promise<void>((resolve) => (release = resolve));
    const server = await startMetrics({
      render: async (plan, options) => {
        await freed;
        return rendered(plan, options);
      },
      plugins: [{ name: 'queue', serve: ({ hooks }) => hooks.status.tap('queue', (report) => ({ ...report, queued: report.queued + 7 })) }],
    });
    const answer = fetch(`${server.url}${target()}`);
    let scrape = await server.scrape();
    while (scrape.value('svc_renders_in_flight') !== 1) scrape = await server.scrape();
    expect(scrape.value('svc_renders_queued')).toBe(7);
    expect(scrape.value('svc_http_requests_pending', { endpoint: 'GET /' })).toBe(1);
    release();
    expect((await answer).status).toBe(200);
  });

  it('additional assets that answers link to', async () => {
    const server = await startMetrics({
      plugins: [{ name: 'recorder', assets: [{ key: 'with_it', name: 'known' }], params: { with_it: { type: 'boolean' } } }],
      render: async (plan, options) => {
        const signal = new AbortController().signal;
        const put = async (name: string) =>
          await options.store?.put({ name, contentType: 'text/plain', extension: 'txt' }, Buffer.from('x'), signal);
        const kept = (await Promise.all(['known', 'known', 'made-up'].map(put))).filter((asset) => asset !== undefined);
        return { ...(await rendered(plan, options)), assets: { kept, missing: [] } };
      },
    });
    await server.ask(target());
    const scrape = await server.scrape();
    expect(scrape.value('svc_assets_linked_total', { asset: 'known' })).toBe(2);
    expect(scrape.value('svc_assets_linked_total', { asset: 'other' })).toBe(1);
  });
});
