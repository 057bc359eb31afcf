import { createKernel, definePlugin, PlatenError, type Plugin } from '@platen/kernel';
import { afterEach, describe, expect, it, vi } from 'vitest';

const probe = (prepare: NonNullable<Plugin['prepare']>) =>
  definePlugin({
    name: 'probe',
    captures: [{ kind: 'probe' }],
    outputs: [{ type: 'png', from: 'probe', contentType: 'image/png', extension: 'png' }],
    apply({ hooks }) {
      hooks.beforeNavigate.tap('probe', () => {
        throw new PlatenError('goal_not_reached', 'the render has begun');
      });
      hooks.capture.for('probe' as never).tap('probe', () => undefined);
      hooks.encode.for('png').tap('probe', () => ({ contentType: 'image/png', extension: 'png', body: Buffer.from('x') }));
    },
    prepare,
  });

function open(prepare: NonNullable<Plugin['prepare']>) {
  const kernel = createKernel({ plugins: [{ definition: probe(prepare), packageName: 'probe', version: '0.0.0' }] });
  return { kernel, render: () => kernel.render(kernel.plan({ url: 'http://127.0.0.1:1/' })), [Symbol.asyncDispose]: () => kernel.close() };
}

afterEach(() => vi.useRealTimers());

describe('prepare', () => {
  it('is over before the first render begins, and runs once', async () => {
    const events: string[] = [];
    await using opened = open(async () => {
      await new Promise(setImmediate);
      events.push('prepared');
    });
    const begun = opened.render().catch((error: unknown) => events.push(String(error)));
    await Promise.all([begun, opened.kernel.prepare()]);
    expect(events).toEqual(['prepared', 'PlatenError: the render has begun']);
  });

  it('ends the start with the name of the plugin whose preparation fails, and every render', async () => {
    await using opened = open(() => Promise.reject(new PlatenError('boot_source_unavailable', 'http://list.test/ is unavailable')));
    const fault = { code: 'boot_source_unavailable', plugin: 'probe', hook: 'prepare' };
    await expect(opened.kernel.prepare()).rejects.toMatchObject(fault);
    await expect(opened.render()).rejects.toMatchObject(fault);
    await using broken = open(() => Promise.reject(new Error('no memory')));
    await expect(broken.kernel.prepare()).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: expect.stringContaining('"probe"'),
    });
  });

  it('does not keep a client that leaves meanwhile', async () => {
    await using opened = open(() => new Promise(() => undefined));
    const leaving = new AbortController();
    const rendering = opened.kernel.render(opened.kernel.plan({ url: 'http://127.0.0.1:1/' }), { signal: leaving.signal });
    leaving.abort();
    await expect(rendering).rejects.toMatchObject({ code: 'client_closed' });
  });

  it('that never ends is told, and ends the start with the name of the plugin', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const told: unknown[] = [];
    const ready = definePlugin({ name: 'quick', prepare: () => Promise.resolve() });
    const plugins = [ready, probe(() => new Promise(() => undefined))].map((definition) => ({
      definition,
      packageName: definition.name,
      version: '0.0.0',
    }));
    const kernel = createKernel({ plugins, onSlowPlugins: (names) => told.push(names) });
    const prepared = expect(kernel.prepare()).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: 'plugins not ready within 120 s of "prepare": probe',
    });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(told).toEqual([['probe'], ['probe']]);
    await vi.advanceTimersByTimeAsync(95_000);
    await prepared;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    await kernel.close();
  });

  it('that is under way is left when the kernel closes', async () => {
    const { kernel } = open(() => new Promise(() => undefined));
    const prepared = expect(kernel.prepare()).rejects.toMatchObject({ code: 'draining' });
    await kernel.close();
    await prepared;
  });

  it('is given the way out, by whose rules the pages go too', async () => {
    await using opened = open(async ({ outbound }) => {
      outbound.addAddressFilter(() => 'nothing may be reached');
      await outbound.fetch('http://127.0.0.1:1/', { maxBytes: 1, timeoutMs: 1000 });
    });
    await expect(opened.kernel.prepare()).rejects.toMatchObject({ cause: { reason: 'blocked' } });
  });
});
