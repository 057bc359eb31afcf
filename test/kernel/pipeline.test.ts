import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { contextKey, definePlugin, PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { rig, tapping } from './pipeline-rig.js';

describe('runPipeline', () => {
  it('asks beforeOpen before it opens a session, and keeps what was set for the page', async () => {
    const key = contextKey<string>('tool');
    const tool = tapping('tool', ({ hooks }) => {
      hooks.beforeOpen.tapPromise('tool', async (context) => {
        context.set(key, await Promise.resolve('found'));
      });
      hooks.beforeNavigate.tap('tool', (context) => void events.push(`tool ${String(context.get(key))}`));
    });
    const { events, run } = rig(tool);
    await run();
    expect(events.slice(0, 3)).toEqual(['open', 'tool found', 'goto http://site.test/']);
  });

  it('runs the phases in order and closes the session before it encodes', async () => {
    const { events, run } = rig();
    await run();
    expect(events).toEqual(['open', 'goto http://site.test/', 'load', 'capture', 'closed', 'encode captured']);
  });

  it('lets plugins change the page between the wait and every kind of capture, however the wait ended', async () => {
    const change = tapping('changer', ({ hooks }) => {
      hooks.beforeCapture.tap('changer', () => void events.push('changed'));
    });
    const soon = tapping('soon', ({ hooks }) => {
      hooks.waitFor.tap('soon', (context) => {
        context.ready();
        return undefined;
      });
    });
    const { events, run } = rig(change, soon);
    await run();
    await run({ output_type: 'film' }).catch(() => undefined);
    expect(events.filter((event) => ['changed', 'capture'].includes(event))).toEqual(['changed', 'capture', 'changed']);
  });

  it.each([
    ['stays on the second', 1, 'film' as const, undefined],
    ['stays on the second', 1, 'png' as const, undefined],
    ['stays on none', Infinity, 'png' as const, 'page_unstable'],
  ])('a page that %s of its documents (%d replaced): output type %s', async (_what, replaced, output_type, code) => {
    const { events, lease, hooks, run } = rig(
      tapping('changer', ({ hooks: { beforeCapture } }) => {
        beforeCapture.tap('changer', () => void events.push('changed'));
      }),
    );
    hooks.capture.for('stream').tap('probe', () => (events.push('capture'), 'captured'));
    hooks.encode.for('film').tap('probe', () => ({ contentType: 'video/webm', extension: 'webm', body: Buffer.from('x') }));
    let documents = 0;
    lease.tab.onOneDocument = async ({ prepare, read }) => {
      await prepare();
      const value = await read();
      if (documents++ < replaced) throw new PlatenError('page_unstable', 'replaced');
      return value;
    };
    const outcome = await run({ output_type }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const once = ['load', 'changed', 'capture'];
    const captures = code === undefined ? (output_type === 'film' ? 1 : 2) : 30;
    expect(events.filter((event) => once.includes(event))).toEqual(Array.from({ length: captures }, () => once).flat());
    expect(outcome).toEqual(
      code === undefined ? undefined : expect.objectContaining({ code, message: expect.stringContaining('30 times') }),
    );
  });

  it('says how long it waited for its turn apart from the opening', async () => {
    const { timings } = await rig().run();
    expect(timings.queue).toBe(7);
  });

  it.each(['nothing', {}, { contentType: 'image/png', extension: 'png', body: 'text' }])(
    'an encoder that answers %j is the failure of its plugin',
    async (answer) => {
      const { hooks, run } = rig(
        definePlugin({ name: 'odd', outputs: [{ type: 'odd', from: 'probe', contentType: 'x/y', extension: 'odd' }] }),
      );
      hooks.encode.for('odd').tap('odd', () => (answer === 'nothing' ? undefined : (answer as never)));
      await expect(run({ output_type: 'odd' })).rejects.toMatchObject({ code: 'plugin_failed', plugin: 'odd', hook: 'encode.odd' });
    },
  );

  it('lets a plugin navigate or wait instead of the kernel', async () => {
    const { events, run } = rig(
      tapping('walker', ({ hooks }) => {
        hooks.navigate.tap('walker', () => ({ by: 'walker' }));
        hooks.waitFor.tap('walker', () => ({ condition: 'walked' }));
      }),
    );
    await run();
    expect(events).toEqual(['open', 'capture', 'closed', 'encode captured']);
  });

  it.each([
    ['navigate', { to: 'elsewhere' }, "it must return { by: string } or undefined, but returned { to: 'elsewhere' }"],
    ['navigate', null, 'it must return { by: string } or undefined, but returned null'],
    ['waitFor', true, 'it must return { condition: string } or undefined, but returned true'],
  ] as const)('names plugin and hook where "%s" is answered with %j', async (hook, answer, message) => {
    const { run } = rig(
      tapping('vague', ({ hooks }) => {
        hooks[hook].tap('vague', () => answer as never);
      }),
    );
    await expect(run()).rejects.toMatchObject({ code: 'plugin_failed', plugin: 'vague', hook, cause: { message } });
  });

  it('waits for nothing more once a plugin says that all is there', async () => {
    const later = rig(
      tapping('early', ({ hooks }) => {
        hooks.waitFor.tapPromise('early', (context) => {
          context.ready();
          return new Promise(() => undefined);
        });
      }),
    );
    await later.run();
    expect(later.events).toEqual(['open', 'goto http://site.test/', 'capture', 'closed', 'encode captured']);
    const before = rig(
      tapping('early', ({ hooks }) => {
        hooks.beforeNavigate.tap('early', ({ ready }) => {
          ready();
        });
      }),
    );
    await before.run();
    expect(before.events).toEqual(['open', 'goto http://site.test/', 'capture', 'closed', 'encode captured']);
  });

  it.each([
    ['probe', {}, 'target_not_page'],
    ['probe', { status: 200 }, 'target_not_page'],
    ['probe', { status: 404 }, 'target_status'],
    ['file', { status: 404 }, 'target_status'],
    ['file', { status: 200 }, undefined],
    ['file', {}, undefined],
  ])('a capture of kind "%s" of a download with %j fails with %s', async (from, facts, code) => {
    const { lease, hooks, run } = rig(
      definePlugin({
        name: 'files',
        captures: [{ kind: 'file', acceptsDownloads: true }],
        outputs: [{ type: 'other', from, contentType: 'x/y', extension: 'bin' }],
      }),
    );
    const target = { url: 'http://site.test/', ...facts, download: true } as const;
    lease.tab.page.goto = () => Promise.reject(new PlatenError('target_not_page', 'a download', { target }));
    hooks.capture.for('file').tap('files', () => 'captured');
    hooks.encode.for('other').tap('files', () => ({ contentType: 'x/y', extension: 'bin', body: Buffer.from('x') }));
    const outcome = await run({ output_type: 'other' }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (code === undefined) expect(outcome).toBeUndefined();
    else expect(outcome).toMatchObject({ code });
  });

  it('beforeOpen knows the plan before there is a page, and what it throws ends the render without one', async () => {
    const { events, hooks, run } = rig(
      tapping('asking', (api) => {
        api.hooks.beforeOpen.tap('asking', ({ plan }) => {
          if (plan.url.endsWith('/no')) throw new PlatenError('target_blocked', 'no');
        });
      }),
    );
    hooks.beforeOpen.intercept({ call: () => events.push('beforeOpen') });
    await run();
    expect(events.slice(0, 2)).toEqual(['beforeOpen', 'open']);
    events.length = 0;
    await expect(run({ url: 'http://site.test/no' })).rejects.toMatchObject({
      code: 'target_blocked',
      plugin: 'asking',
      hook: 'beforeOpen',
    });
    expect(events).toEqual(['beforeOpen']);
  });

  it.each(['beforeNavigate', 'navigate', 'waitFor', 'beforeCapture'] as const)(
    'a failure in %s names plugin and hook, and closes the session once',
    async (hook) => {
      const { events, run } = rig(
        tapping('broken', ({ hooks }) => {
          hooks[hook].tap('broken', () => {
            throw new TypeError('oops');
          });
        }),
      );
      await expect(run()).rejects.toMatchObject({
        code: 'plugin_failed',
        plugin: 'broken',
        hook,
        expose: false,
        cause: { message: 'oops' },
      });
      expect(events.filter((event) => event === 'closed')).toHaveLength(1);
    },
  );

  it('a failing encoder finds the session closed already', async () => {
    const { events, hooks, run } = rig();
    hooks.encode.for('png').intercept({
      call: () => {
        throw new Error('encoder');
      },
    });
    await expect(run()).rejects.toThrow('encoder');
    expect(events).toEqual(['open', 'goto http://site.test/', 'load', 'capture', 'closed', 'closed']);
  });

  it('a capture that streams keeps its session until the stream ends', async () => {
    const { events, hooks, run } = rig();
    hooks.capture.for('stream').tap('film', () => Readable.from(['frame']));
    hooks.encode.for('film').tap('film', (frames) => ({ contentType: 'video/webm', extension: 'webm', body: frames as Readable }));
    const { output } = await run({ output_type: 'film' });
    expect(events).not.toContain('closed');
    expect(await text(output.body as Readable)).toBe('frame');
    expect(events.at(-1)).toBe('closed');
  });

  it('a capture that streams gives its session back as soon as it was read to its end', async () => {
    const { events, hooks, lease, run } = rig();
    const closed = new Promise<void>((resolve) => {
      lease[Symbol.asyncDispose] = () => Promise.resolve(events.push('closed')).then(() => resolve());
    });
    hooks.capture.for('stream').tap('film', ({ release }) => (release(), 'frames'));
    hooks.additionalAssets.tap('film', () => void events.push('assets'));
    hooks.encode.for('film').tapPromise('film', async () => {
      await closed;
      return { contentType: 'video/webm', extension: 'webm', body: Readable.from(['film']) };
    });
    const { output } = await run({ output_type: 'film' });
    expect(events.slice(-2)).toEqual(['assets', 'closed']);
    expect(await text(output.body as Readable)).toBe('film');
    expect(events.filter((event) => event === 'closed')).toHaveLength(1);
  });

  it('the target answering 404 is target_status, unless fail is false', async () => {
    const { lease, run } = rig();
    lease.tab.page.goto = (url) =>
      Promise.resolve({ url: url.replace('://', '://user:pass@'), status: 404, mimeType: 'text/html', headers: {} });
    await expect(run()).rejects.toMatchObject({ code: 'target_status', details: { target: { url: 'http://site.test/', status: 404 } } });
    expect((await run({ fail: false })).headers).toEqual({ 'X-Target-Status': '404' });
  });

  it('a client that leaves ends the render and closes its session', async () => {
    const client = new AbortController();
    const { events, lease, run } = rig();
    lease.tab.page.goto = () => {
      client.abort();
      return new Promise(() => undefined);
    };
    await expect(run({}, client.signal)).rejects.toMatchObject({ code: 'client_closed' });
    expect(events.at(-1)).toBe('closed');
  });

  it('a lost browser is said to be lost, whatever failed because of it', async () => {
    const { lease, run } = rig();
    lease.tab.page.goto = () => {
      lease.browserGone = true;
      return Promise.reject(new Error('Target closed'));
    };
    await expect(run()).rejects.toMatchObject({ code: 'browser_lost', details: { retryable: true } });
  });
});
