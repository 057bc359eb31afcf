import { buffer } from 'node:stream/consumers';
import { contextKey, definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import wait from '@platen/plugin-wait';
import trace from '@platen/plugin-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordTrace, type TraceRecorder } from '../../../../plugins/output/trace/src/record-trace.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { decodePicture, isColour } from '../../capture/pictures.js';
import { readTrace } from './read-trace.js';

const BURN = 'const until = performance.now() + 60; while (performance.now() < until);';
const RED = '<style>body{background:#f00}</style>';

const host = createTestKernel({ plugins: [pixels, frames, ffmpeg, png, gif, wait, trace] });
let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/first': `<!doctype html><title>First</title>${RED}<p>Here<script>function burnFirst() { ${BURN} }
burnFirst(); addEventListener('load', () => setTimeout(() => { location.href = '/final'; }));</script>`,
    '/final': `<!doctype html><title>Final “ü”</title>${RED}<p>There<script>function burnFinal() { ${BURN} }
burnFinal(); addEventListener('load', () => setTimeout(() => dispatchEvent(new Event('done'))));</script>`,
    // Its load event waits for what never comes.
    '/crash': '<!doctype html><p>Here<img src="/never">',
    '/never': () => undefined,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const final = () => ({ url: site.url('/final'), wait_for: 'js:done' });

describe('output_type=trace', () => {
  it('is read by the engine of DevTools, with its CPU profile and the pictures of its filmstrip', async () => {
    const { output, bytes } = await host.render({ ...final(), output_type: 'trace' });
    expect([output.contentType, output.extension]).toEqual(['application/gzip', 'trace.json.gz']);
    const read = await readTrace(await bytes());
    expect(read.navigations).toEqual([site.url('/final')]);
    expect(read.functions).toContain('burnFinal');
    expect(read.pictures.length).toBeGreaterThan(0);
    const last = await decodePicture(read.pictures.at(-1) ?? Buffer.alloc(0));
    expect(last.format).toBe('jpeg');
    expect(isColour(last.at(last.width - 2, last.height - 2), [255, 0, 0], 32)).toBe(true);
  });

  it('trace_no_gzip: the same as plain JSON', async () => {
    const { output, bytes } = await host.render({ ...final(), output_type: 'trace', trace_no_gzip: true });
    expect([output.contentType, output.extension]).toEqual(['application/json', 'trace.json']);
    expect((await readTrace(await bytes())).navigations).toEqual([site.url('/final')]);
  });

  it('trace_no_screenshots: without the filmstrip', async () => {
    const { bytes } = await host.render({ ...final(), output_type: 'trace', trace_no_screenshots: true });
    const read = await readTrace(await bytes());
    expect([read.pictures.length, read.functions.has('burnFinal')]).toEqual([0, true]);
  });

  it('is trimmed to the final page', async () => {
    const { bytes } = await host.render({ url: site.url('/first'), wait_for: 'js:done', output_type: 'trace' });
    const { navigations, bounds, events, metadata, functions } = await readTrace(await bytes());
    expect(navigations).toEqual([site.url('/final')]);
    expect(functions).toContain('burnFinal');
    expect(metadata).toMatchObject({ trimmedToFinalPage: true, dataLossOccurred: false, url: site.url('/first') });
    const start = events.find(({ name, args }) => name === 'navigationStart' && JSON.stringify(args).includes('/final'))?.ts;
    expect(bounds.min).toBe(start);
  });

  it('trace_captures_navigation: with every page that is passed', async () => {
    const params = { url: site.url('/first'), wait_for: 'js:done', output_type: 'trace', trace_captures_navigation: true };
    const { bytes } = await host.render(params);
    const { navigations, functions, metadata } = await readTrace(await bytes());
    expect(navigations).toEqual([site.url('/first'), site.url('/final')]);
    expect([...functions]).toEqual(expect.arrayContaining(['burnFirst', 'burnFinal']));
    expect(metadata['trimmedToFinalPage']).toBe(false);
  });

  it('says nothing of the host that runs it but its system and processors', async () => {
    const { bytes } = await host.render({ ...final(), output_type: 'trace', trace_no_gzip: true });
    const text = (await bytes()).toString();
    expect(text).not.toMatch(/user-data-dir|\/tmp\/|\/usr\/|proxy-server/);
  });

  it('is the same where it is an additional asset too', async () => {
    const { assets, bytes } = await host.render({ ...final(), output_type: 'trace', with_trace: true, trace_no_gzip: true });
    const output = await bytes();
    const [asset] = assets.kept;
    expect([asset?.contentType, asset?.extension]).toEqual(['application/json', 'trace.json']);
    expect((await readTrace(output)).events.length).toBeGreaterThan(500);
    expect(output.equals(asset ? await buffer(asset.open()) : Buffer.alloc(0))).toBe(true);
  });
});

describe('with_trace', () => {
  it('leaves a picture as it is, and brings the trace of its page', async () => {
    const plain = await host.render(final());
    const traced = await host.render({ ...final(), with_trace: true });
    const [before, after] = [await decodePicture(await plain.bytes()), await decodePicture(await traced.bytes())];
    expect(after.data.equals(before.data)).toBe(true);
    expect(traced.assets.missing).toEqual([]);
    expect(traced.assets.kept).toMatchObject([
      { name: 'trace', contentType: 'application/gzip', extension: 'trace.json.gz', forViewers: true },
    ]);
    const [asset] = traced.assets.kept;
    expect((await readTrace(asset ? await buffer(asset.open()) : Buffer.alloc(0))).navigations).toEqual([site.url('/final')]);
  });

  it('goes with a film too, whose browser draws when told to', async () => {
    const { assets, bytes, headers } = await host.render({ ...final(), output_type: 'gif', image_duration: 0.4, with_trace: true });
    expect((await bytes()).subarray(0, 6).toString()).toBe('GIF89a');
    expect(headers['X-Capture-Method']).toBe('deterministic');
    const [asset] = assets.kept;
    expect((await readTrace(asset ? await buffer(asset.open()) : Buffer.alloc(0))).functions).toContain('burnFinal');
  });

  it('takes a browser of its own, which is gone afterwards', async () => {
    const other = createTestKernel({ plugins: [pixels, png, trace] });
    try {
      const browsers: number[] = [];
      const onPhase = () => browsers.push(other.kernel.status().browsers);
      await other.render({ url: site.url('/final') });
      await other.render({ url: site.url('/final'), with_trace: true }, { onPhase });
      expect(Math.max(...browsers)).toBe(2);
      await until(() => other.kernel.status().browsers === 1);
    } finally {
      await other[Symbol.asyncDispose]();
    }
  });
});

describe('faults', () => {
  const RECORDER = contextKey<TraceRecorder>('test');
  const small = definePlugin({
    name: 'small',
    captures: [{ kind: 'small' }],
    outputs: [{ type: 'small', from: 'small', contentType: 'application/json', extension: 'json' }],
    plan({ browser }) {
      browser.exclusive = true;
    },
    apply({ hooks }) {
      hooks.beforeNavigate.tapPromise('small', async (context) => {
        context.set(RECORDER, await recordTrace(context.page, { screenshots: false, bufferKb: 256 }));
      });
      hooks.capture.for('small').tapPromise('small', (context) => context.get(RECORDER)?.stop() ?? Promise.reject(new Error('none')));
      hooks.encode.for('small').tapPromise('small', async (capture) => {
        const body = Buffer.from(JSON.stringify({ ...(capture as object) }));
        return Promise.resolve({ contentType: 'application/json', extension: 'json', body });
      });
    },
  });

  it('a trace that outgrows the buffer of the browser says that data are lost', async () => {
    await using other = createTestKernel({ plugins: [small] });
    const body = `<p>x<script>for (let i = 0; i < 20000; i++) performance.mark('mark ' + i, { detail: 'x'.repeat(100) });</script>`;
    const { bytes } = await other.render({ url: `data:text/html,${encodeURIComponent(body)}`, output_type: 'small' });
    expect(JSON.parse((await bytes()).toString())).toMatchObject({ dataLoss: true });
  });

  it('ends the recording before it asks the page anything, which may not answer', async () => {
    const sent: string[] = [];
    const spied = definePlugin({
      name: 'spied',
      captures: [{ kind: 'spied' }],
      outputs: [{ type: 'spied', from: 'spied', contentType: 'text/plain', extension: 'txt' }],
      plan: ({ browser }) => void (browser.exclusive = true),
      apply({ hooks }) {
        hooks.beforeNavigate.tapPromise('spied', async (context) => {
          const page = new Proxy(context.page, {
            get(target, name) {
              const value: unknown = Reflect.get(target, name);
              if (name !== 'send' || typeof value !== 'function') return value;
              return (method: string, ...rest: unknown[]): unknown => {
                sent.push(method);
                return Reflect.apply(value, target, [method, ...rest]);
              };
            },
          });
          context.set(RECORDER, await recordTrace(page, { screenshots: false }));
        });
        hooks.capture.for('spied').tapPromise('spied', (context) => context.get(RECORDER)?.stop() ?? Promise.reject(new Error('none')));
        hooks.encode
          .for('spied')
          .tapPromise('spied', () => Promise.resolve({ contentType: 'text/plain', extension: 'txt', body: Buffer.from('x') }));
      },
    });
    await using other = createTestKernel({ plugins: [spied] });
    await other.render({ url: site.url('/final'), output_type: 'spied' });
    const order = sent.filter((method) => method.startsWith('Tracing.') || method.startsWith('Performance.'));
    expect(order.slice(0, 3)).toEqual(['Tracing.start', 'Tracing.end', 'Performance.enable']);
  });

  const crash = definePlugin({
    name: 'crash',
    apply({ hooks }) {
      hooks.waitFor.tapPromise('crash', async ({ page, plan }) => {
        if (plan.url.endsWith('/crash')) page.send('Page.crash').catch(() => undefined);
        await Promise.resolve();
        return undefined;
      });
    },
  });

  it.each([{ output_type: 'trace' }, { with_trace: true }])('a page that crashes ends the render, its browser too: %o', async (params) => {
    await using other = createTestKernel({ plugins: [pixels, png, trace, crash] });
    await expect(other.render({ url: site.url('/crash'), ...params })).rejects.toMatchObject({ code: 'page_crashed' });
    await until(() => other.kernel.status().browsers === 0);
    const { bytes } = await other.render({ url: site.url('/final'), ...params });
    expect((await bytes()).length).toBeGreaterThan(0);
  });

  it.each([{ output_type: 'trace' }, { with_trace: true }])('a render whose time is up ends its browser: %o', async (params) => {
    await using other = createTestKernel({ plugins: [pixels, png, trace] });
    const late = other.render({ url: site.url('/crash'), timeout: 1, ...params });
    await expect(late).rejects.toMatchObject({ code: 'render_timeout' });
    await until(() => other.kernel.status().browsers === 0);
  });

  it('a client that leaves in the middle of the stream ends the browser', async () => {
    await using other = createTestKernel({ plugins: [trace] });
    const client = new AbortController();
    const { output } = await other.render({ ...{ url: site.url('/final') }, output_type: 'trace' }, { signal: client.signal });
    client.abort();
    await expect(Buffer.isBuffer(output.body) ? Promise.resolve() : buffer(output.body)).rejects.toThrow();
    await until(() => other.kernel.status().browsers === 0);
  });
});
