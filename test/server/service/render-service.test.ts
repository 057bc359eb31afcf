import { PassThrough } from 'node:stream';
import { PlatenError, type RenderResult } from '@platen/kernel';
import type {} from '@platen/server';
import { describe, expect, it } from 'vitest';
import { rendered, serving, useServers } from '../test-server.js';

const start = useServers();

describe('a tap that answers from the rest of the way', () => {
  it('renders once for two, on a signal of its own, and its validators answer conditional requests', async () => {
    let renders = 0;
    const shared = new AbortController();
    let rendering: Promise<RenderResult> | undefined;
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tapPromise('guest', async (call) => {
        const result = await (rendering ??= call.render(shared.signal));
        return { ...result, headers: { ...result.headers, ETag: '"one"' }, cache: 'hit' };
      });
    });
    const server = await start({
      plugins: [plugin],
      render: (plan, options) => {
        renders += 1;
        expect(options.signal).toBe(shared.signal);
        return rendered(plan, options);
      },
    });
    const [first, second] = await Promise.all([server.get('url=http://a.test/'), server.get('url=http://a.test/')]);
    expect([await first.text(), await second.text()]).toEqual(['a png', 'a png']);
    expect(renders).toBe(1);
    const unchanged = await server.get('url=http://a.test/', { headers: { 'if-none-match': '"one"' } });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('etag')).toBe('"one"');
    expect(await unchanged.text()).toBe('');
    expect(server.records).toMatchObject([{ cache: 'hit' }, { cache: 'hit' }, { cache: 'hit', status: 304 }]);
  });

  it('names no plugin that let the failure through, and the one that failed itself', async () => {
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tapPromise('guest', async (call) => {
        if (call.plan.url.endsWith('/own')) throw new PlatenError('overloaded', 'mine');
        return await call.render(call.signal);
      });
    });
    const failures = [new PlatenError('target_unreachable', 'the target does not answer'), new TypeError('a bug')];
    const server = await start({ plugins: [plugin], render: () => Promise.reject(failures[0] ?? new Error('no more')) });
    await server.get('url=http://a.test/');
    expect(server.records.at(-1)?.error).toMatchObject({ code: 'target_unreachable', plugin: undefined, hook: undefined });
    failures.shift();
    await server.get('url=http://a.test/');
    expect(server.records.at(-1)?.error).toMatchObject({ code: 'internal', plugin: undefined });
    await server.get('url=http://a.test/own');
    expect(server.records.at(-1)?.error).toMatchObject({ code: 'overloaded', plugin: 'guest', hook: 'beforeRender' });
  });

  it('is refused before it is admitted where Accept rules the output out', async () => {
    let admitted = 0;
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tapPromise('guest', async (call) => await call.render(call.signal));
      hooks.admit.tap('guest', () => {
        admitted += 1;
        return undefined;
      });
    });
    const server = await start({ plugins: [plugin] });
    expect((await server.get('url=http://a.test/', { headers: { accept: 'text/html' } })).status).toBe(406);
    expect(admitted).toBe(0);
  });
});

describe('a stored output that is not sent', () => {
  const keeping = () => {
    const body = new PassThrough();
    const asset = {
      name: 'har',
      contentType: 'application/json',
      extension: 'har',
      id: 'a'.repeat(22),
      bytes: 1,
      sha256: '',
      open: () => body,
    };
    const plugin = serving(({ hooks }) => {
      hooks.beforeRender.tapPromise('guest', async ({ plan }) => {
        const result = await rendered(plan, {});
        const kept = plan.url.endsWith('/asset-gone') ? [asset] : [];
        return { ...result, output: { ...result.output, body }, assets: { kept, missing: [] } };
      });
    });
    return { body, plugin };
  };

  it('is let go where Accept rules it out', async () => {
    const { body, plugin } = keeping();
    const { status } = await (await start({ plugins: [plugin] })).get('url=http://a.test/', { headers: { accept: 'text/html' } });
    expect(status).toBe(406);
    expect(body.destroyed).toBe(true);
  });

  it('is sent without an asset that went meanwhile, and the response says so', async () => {
    const { body, plugin } = keeping();
    body.end('kept');
    const response = await (await start({ plugins: [plugin] })).get('url=http://a.test/asset-gone');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-missing-assets')).toMatch(/^har;reason=".*no longer exists"$/);
    expect(await response.text()).toBe('kept');
  });
});

describe('admit', () => {
  const counting = () => {
    const slots = { taken: 0, freed: 0 };
    const plugin = serving(({ hooks }) => {
      hooks.admit.tap('guest', ({ plan, header }) => {
        if (plan.url.endsWith('/full')) {
          header('RateLimit', '"renders";r=0');
          throw new PlatenError('too_many_requests', 'all slots are taken', { retry_after: 7 });
        }
        slots.taken += 1;
        return {
          [Symbol.dispose]() {
            slots.freed += 1;
          },
        };
      });
    });
    return { slots, plugin };
  };

  it('frees the slot after a render, after one that failed, and only once a streamed output has been read', async () => {
    const { slots, plugin } = counting();
    const body = new PassThrough();
    const server = await start({
      plugins: [plugin],
      render: async (plan, options) => {
        if (plan.url.endsWith('/broken')) throw new PlatenError('page_crashed', 'it crashed');
        const result = await rendered(plan, options);
        return plan.url.endsWith('/stream') ? { ...result, output: { ...result.output, body } } : result;
      },
    });
    expect((await server.get('url=http://a.test/')).status).toBe(200);
    expect(slots).toEqual({ taken: 1, freed: 1 });
    expect((await server.get('url=http://a.test/broken')).status).toBe(502);
    expect(slots).toEqual({ taken: 2, freed: 2 });
    body.write('begin');
    const streamed = await server.get('url=http://a.test/stream');
    expect(slots).toEqual({ taken: 3, freed: 2 });
    body.end(' end');
    expect(await streamed.text()).toBe('begin end');
    expect(slots).toEqual({ taken: 3, freed: 3 });
  });

  it("refuses with the tap's error and headers, after validation", async () => {
    const { slots, plugin } = counting();
    const server = await start({ plugins: [plugin] });
    expect((await server.get('url=http://a.test/full&x=1')).status).toBe(400);
    const refused = await server.get('url=http://a.test/full');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('7');
    expect(refused.headers.get('ratelimit')).toBe('"renders";r=0');
    expect(slots).toEqual({ taken: 0, freed: 0 });
  });

  it('the wait counts as queue and towards the timeout', async () => {
    const waits: unknown[] = [];
    const plugin = serving(({ hooks }) => {
      hooks.admit.tapPromise('guest', async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return undefined;
      });
    });
    const server = await start({
      plugins: [plugin],
      render: (plan, options) => {
        waits.push(options.waitedMs);
        return rendered(plan, options);
      },
    });
    const answer = await server.get('url=http://a.test/');
    expect(waits).toEqual([expect.any(Number)]);
    expect(Number(/queue;dur=([\d.]+)/.exec(answer.headers.get('server-timing') ?? '')?.[1])).toBeGreaterThanOrEqual(0.2);
  });
});
