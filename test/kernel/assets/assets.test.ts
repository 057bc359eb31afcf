import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createMemoryStore, definePlugin, PlatenError, silentLogger, type AssetStore, type Logger, type Plugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createDeadline } from '../../../kernel/src/deadline.js';
import { createHooks } from '../../../kernel/src/hooks.js';
import type { Lease } from '../../../kernel/src/browser/pool/lease.js';
import { runPipeline } from '../../../kernel/src/pipeline.js';
import { planRender } from '../../../kernel/src/plan.js';
import { createRegistry } from '../../../kernel/src/registry.js';
import { createPluginHooks } from '../../../kernel/src/plugin-hooks.js';

const SWITCH = { type: 'boolean', description: 'Also make it.' } as const;

/** A plugin with one asset, which its tap makes. */
function recorder(name: string, apply: NonNullable<Plugin['apply']>): Plugin {
  const key = `with_${name}`;
  return definePlugin({ name, params: { [key]: SWITCH }, assets: [{ key, name }], apply });
}

const asset = (name: string, body: Buffer | Readable | (() => Buffer)) => ({ name, contentType: 'text/plain', extension: 'txt', body });

function rig(
  plugins: readonly Plugin[],
  {
    store = createMemoryStore(),
    client = new AbortController(),
    log = silentLogger,
    timeoutMs = null,
  }: { store?: AssetStore; client?: AbortController; log?: Logger; timeoutMs?: number | null } = {},
) {
  const events: string[] = [];
  const probe = definePlugin({
    name: 'probe',
    captures: [{ kind: 'probe' }],
    outputs: [{ type: 'png', from: 'probe', contentType: 'image/png', extension: 'png' }],
  });
  const registry = createRegistry(
    [probe, ...plugins].map((definition) => ({ definition, packageName: definition.name, version: '0.0.0' })),
  );
  const hooks = createHooks();
  for (const { definition } of registry.plugins) definition.apply?.({ hooks: createPluginHooks(hooks, definition) } as never);
  hooks.capture.for('probe').tap('probe', () => 'captured');
  const page = {
    goto: (url: string): Promise<unknown> => Promise.resolve({ url, status: 200 }),
    currentResponse: () => ({ url: 'http://site.test/', status: 200 }),
    lifecycle: { reached: () => Promise.resolve(0) },
  };
  const onOneDocument: Lease['tab']['onOneDocument'] = async ({ prepare, read }) => (await prepare(), await read());
  const lease = {
    context: {},
    tab: { page, shown: page, show: () => undefined, onOneDocument },
    queuedMs: 0,
    browserGone: false,
    [Symbol.asyncDispose]: () => (events.push('closed'), Promise.resolve()),
  };
  const pool = { open: () => Promise.resolve(lease as unknown as Lease) };
  const encode = { body: () => Promise.resolve(Buffer.from('x')) };
  hooks.encode.for('png').tapPromise('probe', async () => ({ contentType: 'image/png', extension: 'png', body: await encode.body() }));
  const params = Object.fromEntries(plugins.flatMap(({ assets = [] }) => assets.map(({ key }) => [key, true])));
  const run = (more: Record<string, unknown> = {}) => {
    const deadline = createDeadline({ timeoutMs, signal: client.signal });
    return runPipeline(
      { hooks, pool, deadline, store, log } as never,
      planRender({ url: 'http://site.test/', ...params, ...(timeoutMs === null ? {} : { timeout: timeoutMs / 1000 }), ...more }, registry),
    );
  };
  return { events, hooks, page, encode, run };
}

const texts = async (assets: readonly { readonly name: string; open(): Readable }[]) =>
  Object.fromEntries(await Promise.all(assets.map(async ({ name, open }) => [name, await text(open())] as const)));

describe('additional assets', () => {
  it('buffers and streams are taken in while the page is there, what is put off when it is closed', async () => {
    const events: string[] = [];
    const { run, events: closing } = rig([
      recorder('a', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('a', async (_context, assets) => {
          await assets.add(asset('a', Readable.from([Buffer.from('streamed')])));
          events.push(`a with ${String(closing.length)} closed`);
        });
      }),
      recorder('b', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('b', (_context, assets) =>
          assets.add(asset('b', () => (events.push(`b with ${String(closing.length)} closed`), Buffer.from('made later')))),
        );
      }),
    ]);
    const { assets } = await run();
    expect(events).toEqual(['a with 0 closed', 'b with 1 closed']);
    expect(await texts(assets.kept)).toEqual({ a: 'streamed', b: 'made later' });
    expect(assets.missing).toEqual([]);
  });

  it('one that cannot be made is missing, with a reason for the client, and the others and the render are there', async () => {
    const { run } = rig([
      recorder('known', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('known', () => Promise.reject(new PlatenError('selector_not_found', 'nothing matched')));
      }),
      recorder('unknown', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('unknown', () => Promise.reject(new Error('/secret/path')));
      }),
      recorder('broken', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('broken', (_context, assets) =>
          assets.add(
            asset('broken', () => {
              throw Object.assign(new Error('/secret/path'), { code: 'ENOSPC' });
            }),
          ),
        );
      }),
      recorder('silent', () => undefined),
      recorder('fine', ({ hooks }) => {
        hooks.additionalAssets.tapPromise('fine', (_context, assets) => assets.add(asset('fine', Buffer.from('here'))));
      }),
    ]);
    const { assets, output } = await run();
    expect(output.body).toEqual(Buffer.from('x'));
    expect(await texts(assets.kept)).toEqual({ fine: 'here' });
    expect([...assets.missing].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'broken', reason: 'the disk is full' },
      { name: 'known', reason: 'nothing matched' },
      { name: 'silent', reason: 'its plugin did not add it' },
      { name: 'unknown', reason: 'it could not be created' },
    ]);
  });

  it('a disk that is full costs the asset, not the render', async () => {
    const full: AssetStore = { ...createMemoryStore(), put: () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' })) };
    const { run } = rig(
      [
        recorder('har', ({ hooks }) => {
          hooks.additionalAssets.tapPromise('har', (_context, assets) => assets.add(asset('har', Buffer.from('{}'))));
        }),
      ],
      { store: full },
    );
    const { assets, output } = await run();
    expect(output.contentType).toBe('image/png');
    expect(assets).toEqual({ kept: [], missing: [{ name: 'har', reason: 'the disk is full' }] });
  });

  const counting = (calls: string[]) =>
    recorder('har', ({ hooks }) => {
      hooks.additionalAssets.tapPromise('har', (_context, assets) => {
        calls.push('collected');
        return assets.add(asset('har', () => Buffer.from('what happened')));
      });
    });

  it('a render that fails leaves what was recorded with its error', async () => {
    const calls: string[] = [];
    const { page, run, events } = rig([counting(calls)]);
    page.goto = (url: string) => Promise.resolve({ url, status: 404, mimeType: 'text/html', headers: {} });
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    if (!(error instanceof PlatenError)) throw new Error('no error of the table');
    expect(error.code).toBe('target_status');
    expect(await texts(error.assets?.kept ?? [])).toEqual({ har: 'what happened' });
    expect([calls, events]).toEqual([['collected'], ['closed']]);
  });

  it('one that is missing is a warning in the log, and a debug line where the failure of the render took it along', async () => {
    const lines: string[] = [];
    const line = (level: string) => (fields: object) => {
      const { asset: name, code } = { asset: '', code: '', ...fields };
      lines.push(`${level} ${name} ${code}`.trim());
    };
    const log: Logger = { ...silentLogger, debug: line('debug'), warn: line('warn') };
    const failing = (name: string, error: Error) =>
      recorder(name, ({ hooks }) => {
        hooks.additionalAssets.tapPromise(name, () => Promise.reject(error));
      });
    const { page, run } = rig([failing('along', new PlatenError('target_status', 'gone')), failing('own', new Error('broken'))], { log });
    page.goto = (url: string) => Promise.resolve({ url, status: 404, mimeType: 'text/html', headers: {} });
    await expect(run()).rejects.toMatchObject({ code: 'target_status' });
    expect(lines.sort()).toEqual(['debug along target_status', 'warn own']);
  });

  it('a request that is refused misses nothing: it was never rendered', async () => {
    const { page, run } = rig([recorder('silent', () => undefined)]);
    page.goto = () => Promise.reject(new PlatenError('invalid_parameters', 'one that the browser does not take'));
    await expect(run()).rejects.toMatchObject({ code: 'invalid_parameters', assets: { kept: [], missing: [] } });
  });

  it('one that fails in its encoder is collected once', async () => {
    const calls: string[] = [];
    const { encode, run } = rig([counting(calls)]);
    encode.body = () => Promise.reject(new PlatenError('encode_failed', 'no'));
    const error: unknown = await run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'encode_failed', assets: { kept: [{ name: 'har' }], missing: [] } });
    expect(calls).toEqual(['collected']);
  });

  it('one that is not there when the time is nearly up is missing: the others and the output are there', async () => {
    const never = () => new Promise<never>(() => undefined);
    const streams: Readable[] = [];
    const slow = (name: string, tap: (add: (body: Readable | (() => Promise<Buffer>)) => Promise<void>) => Promise<void>) =>
      recorder(name, ({ hooks }) => {
        hooks.additionalAssets.tapPromise(name, (_context, assets) =>
          tap((body) => assets.add({ name, contentType: 'text/plain', extension: 'txt', body })),
        );
      });
    const { run, events } = rig(
      [
        slow('quick', (add) => add(Readable.from([Buffer.from('here')]))),
        slow('later', (add) => add(() => Promise.resolve(Buffer.from('made later')))),
        slow('streams', (add) => {
          const stream = new Readable({ read: () => undefined });
          streams.push(stream);
          return add(stream);
        }),
        slow('hangs', never),
        slow('behind', (add) => add(() => Promise.resolve(Buffer.from('too late')))),
        slow('unmade', (add) => add(never)),
      ],
      { timeoutMs: 1500 },
    );
    const { output, assets } = await run();
    expect(output.body).toEqual(Buffer.from('x'));
    expect(await texts(assets.kept)).toEqual({ quick: 'here', later: 'made later' });
    const reason = 'there was no time left';
    expect([...assets.missing].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'behind', reason },
      { name: 'hangs', reason },
      { name: 'streams', reason },
      { name: 'unmade', reason },
    ]);
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]);
    expect(events).toEqual(['closed']);
  });

  it('a client that leaves has no use for assets: nothing of them is kept', async () => {
    const client = new AbortController();
    const discarded: string[] = [];
    const memory = createMemoryStore();
    const store: AssetStore = {
      ...memory,
      discard: (assets) => (discarded.push(...assets.map(({ name }) => name)), Promise.resolve()),
    };
    const { encode, run } = rig(
      [
        recorder('har', ({ hooks }) => {
          hooks.additionalAssets.tapPromise('har', (_context, assets) => assets.add(asset('har', Buffer.from('{}'))));
        }),
      ],
      { store, client },
    );
    encode.body = () => {
      client.abort();
      return new Promise(() => undefined);
    };
    await expect(run()).rejects.toMatchObject({ code: 'client_closed', assets: undefined });
    expect(discarded).toEqual(['har']);
  });

  it('a switch that is off makes nothing', async () => {
    const calls: string[] = [];
    const { run } = rig([
      recorder('har', ({ hooks }) => {
        hooks.additionalAssets.tap('har', ({ plan }) => void calls.push(...plan.assets.map(({ name }) => name)));
      }),
    ]);
    expect((await run({ with_har: false })).assets).toEqual({ kept: [], missing: [] });
    expect(calls).toEqual([]);
  });
});
