import { PassThrough } from 'node:stream';
import { definePlugin, PlatenError, type RenderResult } from '@platen/kernel';
import limits from '@platen/plugin-limits';
import type {} from '@platen/server';
import { afterEach, describe, expect, it } from 'vitest';
import { openServer, rendered, type FakeRender, type TestServer, type TestServerOptions } from '../../../server/test-server.js';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function start({ plugins = [], flags = {}, ...options }: TestServerOptions): Promise<TestServer> {
  const server = await openServer({ ...options, plugins: [limits, ...plugins], flags: { 'server-memory-reserve': 0, ...flags } });
  open.push(server);
  return server;
}

/** Renders that end when they are told to, in the order in which they began. */
function createRenders() {
  const begun: { readonly url: string; end(): void }[] = [];
  const waiting = new Set<() => void>();
  let under = 0;
  let most = 0;
  const render: FakeRender = (plan, options) => {
    under += 1;
    most = Math.max(most, under);
    return new Promise<RenderResult>((resolve, reject) => {
      const settle = () => {
        options.signal?.removeEventListener('abort', abort);
        under -= 1;
      };
      const abort = () => {
        settle();
        reject(new PlatenError('client_closed', 'left'));
      };
      options.signal?.addEventListener('abort', abort);
      begun.push({
        url: plan.url,
        end() {
          settle();
          resolve(rendered(plan, options));
        },
      });
      for (const look of waiting) look();
    });
  };
  return {
    render,
    begun,
    most: () => most,
    /** Resolves once so many have begun. */
    started: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (begun.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** For what has no event to wait for. */
const PATIENT = { timeout: 30_000, interval: 10 };

const status = async ({ url }: TestServer): Promise<unknown> => await (await fetch(`${url}/status`)).json();

describe('--server-max-concurrency', () => {
  it('unset: nothing is refused, and no RateLimit is told', async () => {
    const renders = createRenders();
    const server = await start({ render: renders.render });
    const answers = Array.from({ length: 30 }, () => server.get('url=http://a.test/'));
    await renders.started(30);
    for (const { end } of renders.begun) end();
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(200);
      expect(answer.headers.has('ratelimit')).toBe(false);
    }
  });

  it('F12: past it 429 with Retry-After; /status is true, and neither it nor /assets is ever capped', async () => {
    const renders = createRenders();
    const server = await start({ render: renders.render, flags: { 'server-max-concurrency': 2 } });
    const running = [server.get('url=http://a.test/1'), server.get('url=http://a.test/2')];
    await renders.started(2);
    const refused = await server.get('url=http://a.test/3');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit-policy')).toBe('"renders";q=2;qu="concurrent-requests"');
    expect(refused.headers.get('ratelimit')).toBe('"renders";r=0;t=1');
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests', retryable: true });
    expect((await server.post({ url: 'http://a.test/3' })).status).toBe(429);
    expect((await server.get('url=http://a.test/3&nonsense=1')).status).toBe(400);
    expect(await status(server)).toMatchObject({ in_flight: 2, queued: 0, max_concurrency: 2 });
    expect((await fetch(`${server.url}/assets?id=${'a'.repeat(22)}`)).status).toBe(404);
    for (const { end } of renders.begun) end();
    for (const answer of await Promise.all(running)) expect(answer.headers.get('ratelimit')).toMatch(/^"renders";r=[01]$/);
    expect(await status(server)).toMatchObject({ in_flight: 0, queued: 0, max_concurrency: 2 });
  });

  it('F12: frees the slot after success, after a failure, and once a stream was read to its end', async () => {
    const body = new PassThrough();
    const server = await start({
      flags: { 'server-max-concurrency': 1 },
      render: async (plan, options) => {
        if (plan.url.endsWith('/broken')) throw new PlatenError('page_crashed', 'it crashed');
        const result = await rendered(plan, options);
        return plan.url.endsWith('/stream') ? { ...result, output: { ...result.output, body } } : result;
      },
    });
    expect((await server.get('url=http://a.test/')).status).toBe(200);
    expect((await server.get('url=http://a.test/broken')).status).toBe(502);
    body.write('begin');
    const streamed = await server.get('url=http://a.test/stream');
    expect((await server.get('url=http://a.test/')).status).toBe(429);
    body.end(' end');
    expect(await streamed.text()).toBe('begin end');
    expect((await server.get('url=http://a.test/')).status).toBe(200);
  });

  it('a result that another plugin keeps takes no slot', async () => {
    const renders = createRenders();
    const kept = definePlugin({
      name: 'kept',
      serve({ hooks }) {
        hooks.beforeRender.tapPromise('kept', async ({ plan }) => (plan.url.endsWith('/kept') ? await rendered(plan, {}) : undefined));
      },
    });
    const server = await start({ render: renders.render, plugins: [kept], flags: { 'server-max-concurrency': 1 } });
    const running = server.get('url=http://a.test/');
    await renders.started(1);
    expect((await server.get('url=http://a.test/kept')).status).toBe(200);
    renders.begun[0]?.end();
    expect((await running).status).toBe(200);
  });
});

describe('--server-queue-requests', () => {
  const queue = (cap: number) => ({ 'server-max-concurrency': cap, 'server-queue-requests': true });

  it('F12: holds what is past the cap and answers it in turn', async () => {
    const renders = createRenders();
    const server = await start({ render: renders.render, flags: queue(1) });
    const first = server.get('url=http://a.test/1');
    await renders.started(1);
    const second = server.get('url=http://a.test/2');
    await expect.poll(() => status(server), PATIENT).toMatchObject({ in_flight: 1, queued: 1, max_concurrency: 1 });
    expect(renders.begun).toHaveLength(1);
    renders.begun[0]?.end();
    expect((await first).status).toBe(200);
    await renders.started(2);
    renders.begun[1]?.end();
    const answer = await second;
    expect(answer.status).toBe(200);
    expect(Number(/queue;dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1])).toBeGreaterThan(0.25);
  });

  it('F10: a client that leaves while it waits is forgotten at once', async () => {
    const renders = createRenders();
    const server = await start({ render: renders.render, flags: queue(1) });
    const first = server.get('url=http://a.test/1');
    await renders.started(1);
    const controller = new AbortController();
    const over = server.finished(({ plan }) => plan?.url === 'http://a.test/2');
    const second = server.get('url=http://a.test/2', { signal: controller.signal });
    await expect.poll(() => status(server), PATIENT).toMatchObject({ queued: 1 });
    controller.abort();
    await expect(second).rejects.toThrow();
    expect(await over).toMatchObject({ status: 499, code: 'client_closed' });
    expect(await status(server)).toMatchObject({ queued: 0 });
    renders.begun[0]?.end();
    expect((await first).status).toBe(200);
    expect(renders.begun).toHaveLength(1);
  });

  it("the request's timeout ends its waiting: 504 with the phase", async () => {
    const renders = createRenders();
    const server = await start({ render: renders.render, flags: queue(1) });
    const first = server.get('url=http://a.test/1');
    await renders.started(1);
    const late = await server.get('url=http://a.test/2&timeout=0.05');
    expect(late.status).toBe(504);
    expect(await late.json()).toMatchObject({ code: 'render_timeout', phase: 'queue', detail: expect.stringContaining('"queue"') });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(late.headers.get('ratelimit')).toBe(`"renders";r=0;t=${late.headers.get('retry-after') ?? ''}`);
    renders.begun[0]?.end();
    await first;
  });
});

describe('--server-memory-reserve', () => {
  it('refuses renders with 503 and Retry-After while less is left, and gives no slot away', async () => {
    const server = await start({ flags: { 'server-memory-reserve': 16_777_216, 'server-max-concurrency': 1 } });
    const refused = await server.get('url=http://a.test/');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'overloaded', retryable: true });
    expect(await status(server)).toMatchObject({ in_flight: 0, queued: 0 });
  });
});
