import cluster from '@platen/plugin-cluster';
import { silentLogger } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMembers, type Member } from '../../../../plugins/service/cluster/src/members.js';
import { PREFIX } from '../../../../plugins/service/cluster/src/queue.js';
import { checkServices } from '../../../../server/src/doctor/index.js';
import { until } from '../../../helpers/until.js';
import { type FakeRender, openServer, rendered, serving, useServers } from '../../../server/test-server.js';
import { freePort, startRedis } from './redis-server.js';
import { LOCK_S, promised, useCluster } from './cluster-servers.js';

const { join, redis } = useCluster();
const open = useServers();
const never: FakeRender = () => Promise.reject(new Error('a front does not render'));

const WORKER = { 'cluster-queue': 'redis://a.test', 'cluster-role': 'worker' };

describe('the start', () => {
  const start = (flags: Readonly<Record<string, unknown>>) =>
    openServer({ plugins: [cluster], flags }).then((server) => server[Symbol.asyncDispose]());

  it.each([
    ['cluster-address', { 'cluster-address': 'http://a.test' }, '--cluster-address requires --cluster-queue'],
    ['cluster-role', { 'cluster-role': 'front' }, '--cluster-role requires --cluster-queue'],
    ['a database that is no number', { 'cluster-queue': 'redis://a.test/jobs' }, 'redis://host:6379/1'],
    ['options in the URL', { 'cluster-queue': 'redis://a.test/1?family=6' }, 'redis://host:6379/1'],
    ['a password', { 'cluster-queue': 'redis://a.test', 'cluster-address': 'http://u:p@b.test' }, '--cluster-address is not a URL'],
    ['a query', { 'cluster-queue': 'redis://a.test', 'cluster-address': 'http://b.test/?a' }, '--cluster-address is not a URL'],
    ['a wildcard', { 'cluster-queue': 'redis://a.test', 'server-bind-address': '0.0.0.0' }, '--cluster-address is required'],
    ['a limit of a worker', { ...WORKER, 'cluster-queue-limit': 5 }, '--cluster-queue-limit requires --cluster-role front or both'],
    [
      'an address of a worker',
      { ...WORKER, 'cluster-address': 'http://b.test' },
      '--cluster-address requires --cluster-role front or both',
    ],
    [
      'a concurrency of a front',
      { ...WORKER, 'cluster-role': 'front', 'cluster-concurrency': 5 },
      '--cluster-concurrency requires --cluster-role worker or both',
    ],
    ['a socket', { 'cluster-queue': 'redis://a.test', 'server-bind-address': '/tmp/a.sock' }, '--cluster-address is required'],
  ])('is refused for %s', async (_, flags, text) => {
    await expect(start(flags)).rejects.toMatchObject({ code: 'boot_invalid_flag', message: expect.stringContaining(text) as string });
  });

  it('names the queue that it cannot reach, and the cause, without credentials', async () => {
    const port = String(await freePort());
    const error: unknown = await start({ 'cluster-queue': `redis://ann:canary@127.0.0.1:${port}` }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'boot_invalid_flag',
      message: expect.stringContaining(`127.0.0.1:${port} is unreachable: ECONNREFUSED`) as string,
    });
    expect(String(error)).not.toContain('canary');
  });

  it('names a wrong password', async () => {
    await using guarded = await startRedis({ password: 'right' });
    const url = guarded.url.replace('right', 'canary');
    await expect(start({ 'cluster-queue': url })).rejects.toMatchObject({
      message: expect.stringMatching(/unreachable: (?:WRONGPASS|NOAUTH)/) as string,
    });
    await start({ 'cluster-queue': guarded.url });
  });
});

describe('platen doctor', () => {
  const check = async (flags: Readonly<Record<string, unknown>>) => {
    await using host = createTestKernel({ plugins: [cluster], flags });
    return await checkServices(host.kernel, flags);
  };

  it.each([
    ['noeviction', 'ok', /^Redis [\d.]+ replied in \d+ ms$/],
    ['allkeys-lru', 'remark', /maxmemory-policy is allkeys-lru, so that it may drop jobs/],
  ])('reports a queue whose policy is %s', async (policy, state, text) => {
    await using own = await startRedis();
    const connection = new Redis(own.url);
    await connection.config('SET', 'maxmemory-policy', policy);
    connection.disconnect();
    const [finding] = await check({ 'cluster-queue': own.url });
    expect(finding).toMatchObject({ id: 'queue', state, text: expect.stringMatching(text) as string, facts: { flag: 'cluster-queue' } });
  });

  it('reports a wrong password, without it', async () => {
    await using guarded = await startRedis({ password: 'right' });
    const [finding] = await check({ 'cluster-queue': guarded.url.replace('right', 'canary') });
    expect(finding).toMatchObject({ id: 'queue', state: 'missing', text: expect.stringMatching(/WRONGPASS|NOAUTH/) as string });
    expect(JSON.stringify(finding)).not.toContain('canary');
  });

  it('says nothing without a queue', async () => {
    expect(await check({})).toEqual([]);
  });
});

describe('the queue', () => {
  it.each([
    ['front', false],
    ['worker', undefined],
    ['both', undefined],
  ] as const)('of a server that is %s decides whether a browser is started with it', async (role, answer) => {
    const { server } = await join(role, `browser-${role}`, { render: never });
    expect(server.hooks.startBrowser.call()).toBe(answer);
  });

  it('begins the request of another client before the rest of a long series', async () => {
    const who = serving(({ hooks }) => {
      hooks.authorize.tap('guest', ({ headers }) => ({ identity: String(headers['x-who']) }));
    });
    const front = await join('front', 'fair', { render: never, plugins: [who] });
    const ask = (identity: string, path: string) => front.get(`url=http://a.test/${path}`, { headers: { 'x-who': identity } });
    const many = Array.from({ length: 50 }, (_, index) => ask('ann', `ann-${String(index)}`));
    await until(() => front.server.api.status().queued === 50);
    const other = ask('ben', 'ben');
    await until(() => front.server.api.status().queued === 51);
    const begun: string[] = [];
    await join('worker', 'fair', {
      flags: { 'cluster-concurrency': 1 },
      render(plan, options) {
        begun.push(plan.url);
        return rendered(plan, options);
      },
    });
    expect((await Promise.all([...many, other])).map(({ status }) => status)).toEqual(Array.from({ length: 51 }, () => 200));
    expect(begun.slice(0, 5)).toContain('http://a.test/ben');
  });

  it('has a limit, beyond which requests are refused with Retry-After', async () => {
    const front = await join('front', 'limit', { render: never, flags: { 'cluster-queue-limit': 1 } });
    const first = front.get('url=http://a.test/');
    await until(
      async () => (await front.get('url=http://a.test/x', { signal: AbortSignal.timeout(1_000) }).catch(() => undefined))?.status === 429,
    );
    const refused = await front.get('url=http://a.test/');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await join('worker', 'limit');
    expect((await first).status).toBe(200);
  });

  it('does not outlast the timeout of a request', async () => {
    const front = await join('front', 'timeout', { render: never });
    const response = await front.get('url=http://a.test/&timeout=1');
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ code: 'render_timeout', phase: 'queue' });
  });

  it('that is down is reported within seconds; no job of that time runs later', async () => {
    await using own = await startRedis();
    const urls: string[] = [];
    const render: FakeRender = (plan, options) => {
      urls.push(plan.url);
      return rendered(plan, options);
    };
    const flags = { 'cluster-queue': own.url, 'cluster-lock': LOCK_S };
    const front = await open({ plugins: [cluster], render: never, flags: { ...flags, 'cluster-role': 'front' } });
    await open({ plugins: [cluster], render, flags: { ...flags, 'cluster-role': 'worker' } });
    expect((await front.get('url=http://a.test/before')).status).toBe(200);
    await own.kill();
    const refused = await front.get('url=http://a.test/down');
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: 'browser_unavailable', retryable: true });
    expect((await fetch(`${front.url}/status`)).status).toBe(503);
    await own.restart();
    await until(async () => (await front.get('url=http://a.test/after')).status === 200);
    // A queue that hangs.
    own.signal('SIGSTOP');
    const hung = await front.get('url=http://a.test/hung');
    expect(hung.status).toBe(503);
    own.signal('SIGCONT');
    await until(async () => (await front.get('url=http://a.test/last')).status === 200);
    expect(new Set(urls)).toEqual(new Set(['http://a.test/before', 'http://a.test/after', 'http://a.test/last']));
  });

  it('that is killed and comes back delivers every job once', async () => {
    await using own = await startRedis();
    const counts = new Map<string, number>();
    const [begun, go] = [promised(), promised()];
    const render: FakeRender = async (plan, options) => {
      counts.set(plan.url, (counts.get(plan.url) ?? 0) + 1);
      begun.resolve();
      await go.promise;
      return await rendered(plan, options);
    };
    const flags = { 'cluster-queue': own.url, 'cluster-lock': 3 };
    const front = await open({ plugins: [cluster], render: never, flags: { ...flags, 'cluster-role': 'front' } });
    await open({ plugins: [cluster], render, flags: { ...flags, 'cluster-role': 'worker', 'cluster-concurrency': 4 } });
    const asked = Array.from({ length: 40 }, (_, index) => front.get(`url=http://a.test/${String(index)}`));
    await begun.promise;
    await until(() => front.server.api.status().cluster?.attempts === 4);
    await own.kill();
    go.resolve();
    await own.restart();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(counts.size).toBe(40);
  });
});

describe('a worker that is asked to stop', () => {
  it('ends its jobs and takes no more; another takes them', async () => {
    const [begun, go] = [promised(), promised()];
    const render: FakeRender = async (plan, options) => {
      begun.resolve();
      await go.promise;
      return await rendered(plan, options);
    };
    const front = await join('front', 'drain', { render: never });
    const first = await join('worker', 'drain', { render, flags: { 'cluster-concurrency': 1 } });
    const one = front.get('url=http://a.test/1');
    await begun.promise;
    const closing = first.server.close(30_000);
    const two = front.get('url=http://a.test/2');
    await until(() => front.server.api.status().queued === 1);
    go.resolve();
    expect((await one).status).toBe(200);
    await closing;
    expect(first.records).toHaveLength(1);
    const second = await join('worker', 'drain');
    expect((await two).status).toBe(200);
    expect(second.records).toHaveLength(1);
  });

  it('hands back a job that it cannot end in time', async () => {
    const begun = promised();
    const render: FakeRender = (_plan, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        begun.resolve();
      });
    const front = await join('front', 'hand-back', { render: never });
    const first = await join('worker', 'hand-back', { render });
    const asked = front.get('url=http://a.test/');
    await begun.promise;
    await first.server.close(0);
    await join('worker', 'hand-back');
    expect((await asked).status).toBe(200);
  });
});

describe('addresses of the cluster', () => {
  it('are refused to pages, on every server', async () => {
    const reached: unknown[] = [];
    const front = await join('front', 'ssrf');
    const dial = { name: 'dial', fetch: undefined as ((url: string) => Promise<unknown>) | undefined };
    const worker = await join('worker', 'ssrf', {
      plugins: [
        {
          name: 'dial',
          apply({ outbound }) {
            dial.fetch = (url) => outbound.fetch(url, { maxBytes: 1_000, timeoutMs: 2_000 }).then((answer) => reached.push(answer.status));
          },
        },
      ],
    });
    expect((await front.get('url=http://a.test/')).status).toBe(200);
    const port = String(front.port);
    for (const url of [
      `http://127.0.0.1:${port}/status`,
      `http://localhost:${port}/status`,
      `http://[::ffff:127.0.0.1]:${port}/status`,
      `http://127.0.0.1:${String(redis().port)}/`,
      `${worker.url}/status`,
    ]) {
      await expect(dial.fetch?.(url)).rejects.toThrow(/of this cluster|of this server's own|refused/);
    }
    expect(reached).toEqual([]);
  });

  it('are refused to pages of another cluster of the same queue, whose workers do not count here', async () => {
    await join('worker', 'crowded');
    const front = await join('front', 'alone');
    expect(front.server.api.status().cluster).toMatchObject({ workers: 0, capacity: 0 });
    const connections = ['one', 'other'].map((cluster, index) => {
      const client = new Redis(redis().url);
      const self = (): Member => ({ cluster, capacity: 0, listeners: [{ address: '127.0.0.1', port: 9_000 + index }] });
      const members = createMembers({ redis: client, urls: [], log: silentLogger, self, onRefresh: () => Promise.resolve() });
      onTestFinished(async () => {
        await members.close();
        client.disconnect();
      });
      return members;
    });
    for (const members of connections) await members.refresh();
    const isRefused = () => connections[1]?.filterAddress({ address: '127.0.0.1', port: 9_000, host: 'a.test' }) !== undefined;
    expect(isRefused()).toBe(true);
    // As after a restart of Redis without its data: the other process has not registered again yet.
    const queue = new Redis(redis().url);
    await queue.del(`${PREFIX}:members`);
    queue.disconnect();
    await connections[1]?.refresh();
    expect(isRefused()).toBe(true);
  });
});
