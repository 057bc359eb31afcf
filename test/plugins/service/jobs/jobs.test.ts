import { Readable } from 'node:stream';
import { NO_ASSETS, PlatenError } from '@platen/kernel';
import jobs from '@platen/plugin-jobs';
import limits from '@platen/plugin-limits';
import { describe, expect, it } from 'vitest';
import { output, rendered, useServers, type FakeRender } from '../../../server/test-server.js';
import { ASYNC, heldRenders, openJobsServer, PAGE } from './jobs-server.js';

const start = useServers();

const HAR = { name: 'har', contentType: 'application/json', extension: 'har' };
const withAsset: FakeRender = async (plan, options) => {
  const kept = await options.store?.put(HAR, Buffer.from('{}'), new AbortController().signal);
  const assets = { kept: kept === undefined ? [] : [kept], missing: [{ name: 'trace', reason: 'no time' }] };
  if (plan.url.endsWith('/fails')) throw new PlatenError('target_status', 'the target failed', { assets });
  return { ...(await rendered(plan, options)), assets };
};

describe('Prefer: respond-async', () => {
  it('is answered by 202 with the job, whose output and assets are linked once it is done', async () => {
    const server = await openJobsServer({ render: withAsset });
    const response = await server.get(PAGE, { headers: { ...ASYNC, 'x-request-id': 'mine' } });
    expect(response.status).toBe(202);
    const path = response.headers.get('location') ?? '';
    expect(path).toMatch(/^\/jobs\/[\w-]{22}$/);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'preference-applied': 'respond-async',
      'retry-after': '1',
      vary: expect.stringContaining('Prefer'),
    });
    expect(await response.json()).toEqual({ id: path.slice('/jobs/'.length), state: 'queued', created_at: expect.any(String) });

    const job = await server.ended(path);
    expect(job).toMatchObject({
      state: 'done',
      output: { content_type: 'image/png', bytes: 5 },
      assets: [{ name: 'har', content_type: 'application/json', bytes: 2 }],
      headers: { 'X-Target-Status': '200', 'X-Missing-Assets': 'trace;reason="no time"' },
    });
    const fetchText = async (url = '') => await (await fetch(server.url + url)).text();
    expect(await fetchText(job.output?.url)).toBe('a png');
    expect(await fetchText(job.assets?.[0]?.url)).toBe('{}');
    expect(server.records.filter(({ id }) => id === 'mine')).toMatchObject([
      { endpoint: 'GET /', status: 202, format: 'png' },
      { endpoint: 'job', status: 200, bytes: 5 },
    ]);
  });

  it('of a POST stores an output that streams', async () => {
    const body = Readable.from([Buffer.from('<p>'), Buffer.from('streamed')], { objectMode: false });
    const server = await openJobsServer({
      render: async (plan, options) => ({ ...(await rendered(plan, options)), output: { ...output('html'), body } }),
    });
    const headers = { 'content-type': 'application/json', prefer: 'wait=5; x="a, b", Respond-Async' };
    const response = await server.post({ url: 'http://a.test/', output_type: 'html' }, { headers });
    const job = await server.ended(response.headers.get('location') ?? '');
    const page = await fetch(server.url + (job.output?.url ?? ''));
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe('sandbox');
    expect(await page.text()).toBe('<p>streamed');
  });

  it.each([
    ['an unknown parameter', 'url=http://a.test/&fullpage=true', {}, 'invalid_parameters'],
    ['a bad target', 'url=file:///etc/passwd', {}, 'invalid_parameters'],
    ['a webhook by http', PAGE, { 'webhook-url': 'http://hooks.test/' }, 'malformed_request'],
    ['a webhook with a password', PAGE, { 'webhook-url': 'https://ann:secret@hooks.test/' }, 'malformed_request'],
  ])('is a 400 for %s, and no job', async (_, query, headers, code) => {
    const server = await openJobsServer();
    const response = await server.get(query, { headers: { ...ASYNC, ...headers } });
    expect([response.status, await response.json()]).toMatchObject([400, { code }]);
    expect(Object.keys(await server.files()).filter((name) => !name.startsWith('server.'))).toEqual([]);
  });

  it.each([
    ['another preference with that text', 'x="respond-async, respond-async"'],
    ['a longer name', 'respond-asynchronously'],
  ])('is not meant by %s', async (_, prefer) => {
    const server = await openJobsServer();
    expect((await server.get(PAGE, { headers: { prefer } })).status).toBe(200);
    expect((await server.get(PAGE, { method: 'HEAD', headers: ASYNC })).status).toBe(200);
  });

  it('has no effect without the flag, which the 404 of /jobs names', async () => {
    const server = await start({ plugins: [jobs] });
    expect((await server.get(PAGE, { headers: ASYNC })).status).toBe(200);
    const response = await fetch(`${server.url}/jobs/AAAAAAAAAAAAAAAAAAAAAA`);
    expect([response.status, await response.json()]).toMatchObject([404, { detail: expect.stringContaining('--server-enable-jobs') }]);
  });
});

describe('a job', () => {
  it('shows its progress without the URL of a page', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render });
    const path = await server.create();
    await held.begun(1);
    const response = await fetch(server.url + path);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      ...{ id: path.slice(6), state: 'running', created_at: expect.any(String), started_at: expect.any(String) },
      progress: { phase: 'navigate', done: 1, queued: 2, failed: 0 },
    });
    held.began[0]?.release();
    expect(await server.ended(path)).toMatchObject({ state: 'done', expires_at: expect.any(String) });
  });

  it('that fails has the problem document and the assets of its render', async () => {
    const server = await openJobsServer({ render: withAsset });
    const path = await server.create('url=http://a.test/fails', { 'x-request-id': 'failing' });
    expect(await server.ended(path)).toMatchObject({
      state: 'failed',
      problem: { code: 'target_status', status: 502, instance: 'failing' },
      assets: [{ name: 'har' }],
    });
  });

  it('is canceled while it runs: its render ends', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render });
    const path = await server.create();
    await held.begun(1);
    const over = server.finished(({ endpoint }) => endpoint === 'job');
    expect((await server.cancel(path)).status).toBe(204);
    expect(held.began[0]?.signal?.aborted).toBe(true);
    expect(await over).toMatchObject({ code: 'client_closed' });
    expect(await server.show(path)).toMatchObject({ state: 'canceled' });
    const again = await server.cancel(path);
    expect([again.status, await again.json()]).toMatchObject([410, { code: 'gone' }]);
    expect(Object.keys(await server.files()).some((name) => name.endsWith('.params'))).toBe(false);
  });

  it('is canceled while it is queued: it is never rendered', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render, plugins: [limits], flags: { 'server-max-concurrency': 1 } });
    const [first, second, third] = [
      await server.create(),
      await server.create('url=http://b.test/'),
      await server.create('url=http://c.test/'),
    ];
    await held.begun(1);
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ in_flight: 1, queued: 2 });
    expect((await server.cancel(second)).status).toBe(204);
    held.began[0]?.release();
    await held.begun(2);
    held.began[1]?.release();
    expect((await server.ended(third)).state).toBe('done');
    expect([(await server.show(first)).state, (await server.show(second)).state]).toEqual(['done', 'canceled']);
    expect(held.began.map(({ url }) => url)).toEqual(['http://a.test/', 'http://c.test/']);
  });

  it('waits where a client would get 429, and is rendered once there is room', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render, plugins: [limits], flags: { 'server-max-concurrency': 1 } });
    const answer = server.get(PAGE);
    await held.begun(1);
    const refused = server.finished(({ endpoint, code }) => endpoint === 'job' && code === 'too_many_requests');
    const path = await server.create('url=http://job.test/');
    await refused;
    expect((await server.show(path)).state).toBe('queued');
    held.began[0]?.release();
    expect((await answer).status).toBe(200);
    await held.begun(2);
    held.began[1]?.release();
    expect(await server.ended(path)).toMatchObject({ state: 'done' });
  });

  it('waits where a client would get 503, and is rendered once the queue of the cluster is back', async () => {
    const refusals = [new PlatenError('browser_unavailable', 'the queue is unreachable', { retryable: true, retry_after: 1 })];
    const server = await openJobsServer({
      render: async (plan, options) => {
        const refusal = refusals.pop();
        if (refusal !== undefined) throw refusal;
        return await rendered(plan, options);
      },
    });
    const refused = server.finished(({ endpoint, code }) => endpoint === 'job' && code === 'browser_unavailable');
    const path = await server.create();
    await refused;
    expect(await server.ended(path)).toMatchObject({ state: 'done' });
  });

  it('that is unknown is a 404', async () => {
    const server = await openJobsServer({
      render: () => Promise.resolve({ output: output('png'), assets: NO_ASSETS, headers: {}, timings: {} }),
    });
    for (const path of ['/jobs/AAAAAAAAAAAAAAAAAAAAAA', '/jobs', '/jobs/../x']) expect((await fetch(server.url + path)).status).toBe(404);
    expect((await server.cancel('/jobs/AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    expect((await fetch(`${server.url}/jobs/x`, { method: 'PUT' })).status).toBe(405);
  });
});
