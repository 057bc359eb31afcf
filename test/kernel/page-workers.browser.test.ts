import { contextKey, definePlugin, type PageWorker, type Plugin, type RenderContext } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../helpers/site.js';

const tabKey = contextKey<string>('probe: tab');
const visitKey = contextKey<string>('probe: visit');

type Work = (context: RenderContext) => Promise<string>;

/** The capture of the next render, and the hooks that ran, with the tab and the path that they served. */
const script: { work: Work; ran: string[] } = { work: () => Promise.resolve(''), ran: [] };

const note = (hook: string, { tabIndex, plan }: Pick<RenderContext, 'tabIndex' | 'plan'>): void => {
  script.ran.push(`${hook} ${String(tabIndex)} ${new URL(plan.url).pathname}`);
};

const probe = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.beforeNavigate.tap('probe', (context) => {
      note('beforeNavigate', context);
      context.set(tabKey, String(context.tabIndex));
    });
    hooks.navigate.tap('probe', (context) => {
      note('navigate', context);
      return undefined;
    });
    hooks.beforeCapture.tap('probe', (context) => {
      note('beforeCapture', context);
      context.set(visitKey, context.plan.url);
    });
    hooks.capture.for('probe').tapPromise('probe', (context) => script.work(context));
    hooks.encode.for('probe').tap('probe', (text) => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(String(text)) }));
  },
});

const plugins: readonly Plugin[] = [probe];
const host = createTestKernel({ plugins, flags: { 'browser-concurrency': 2 } });
afterAll(() => host[Symbol.asyncDispose]());

/** Renders the page with this capture; resolves with its text and the hooks that ran for further pages. */
async function run(url: string, work: Work): Promise<{ readonly text: string; readonly ran: readonly string[] }> {
  script.work = async (context) => {
    script.ran = [];
    return work(context);
  };
  const { bytes } = await host.render({ url, output_type: 'probe' });
  return { text: (await bytes()).toString(), ran: script.ran };
}

const title = ({ page }: RenderContext) => page.evaluate(() => document.title);

async function open(context: RenderContext): Promise<PageWorker> {
  const worker = context.openWorker();
  await worker.takeSlot(context.signal);
  return worker;
}

describe('a worker', () => {
  it('runs beforeNavigate once for its tab, and the other hooks for each page', async () => {
    await using site = await openSite({ '/': '', '/a': '<title>A</title>', '/b': '<title>B</title>' });
    const { text, ran } = await run(site.url('/'), async (context) => {
      const worker = await open(context);
      const titles = [];
      for (const path of ['/a', '/b']) titles.push(await worker.visit({ url: site.url(path), timeoutMs: null }, title));
      return titles.join();
    });
    expect(text).toBe('A,B');
    expect(ran).toEqual(['beforeNavigate 1 /', 'navigate 1 /a', 'beforeCapture 1 /a', 'navigate 1 /b', 'beforeCapture 1 /b']);
  });

  it('shares cookies with the page of the render, and values by tab and by visit', async () => {
    const cookies: (string | undefined)[] = [];
    await using site = await openSite({
      '/': { headers: { 'set-cookie': 'a=1' }, body: '' },
      '/a': ({ headers }) => {
        cookies.push(headers.cookie);
        return '';
      },
      '/b': '',
    });
    const { text } = await run(site.url('/'), async (context) => {
      const worker = await open(context);
      const seen: unknown[] = [];
      for (const path of ['/a', '/b']) {
        await worker.visit({ url: site.url(path), timeoutMs: null }, ({ get, visit }) => {
          seen.push(get(tabKey), get(visitKey) === visit?.url);
          return Promise.resolve();
        });
      }
      seen.push(worker.context?.get(visitKey), context.get(tabKey));
      return JSON.stringify(seen);
    });
    expect(cookies).toEqual(['a=1']);
    expect(JSON.parse(text)).toEqual(['1', true, '1', true, null, '0']);
  });

  it('gets another tab after a visit that timed out, and none after an error of the target', async () => {
    await using site = await openSite({ '/': '', '/hangs': () => undefined, '/a': '<title>A</title>' });
    const { text, ran } = await run(site.url('/'), async (context) => {
      const worker = await open(context);
      const codes: unknown[] = [];
      for (const [path, timeoutMs] of [
        ['/gone', null],
        ['/hangs', 300],
        ['/a', null],
      ] as const) {
        codes.push(
          await worker.visit({ url: site.url(path), timeoutMs }, title).catch((error: unknown) => Reflect.get(Object(error), 'code')),
        );
      }
      return codes.join();
    });
    expect(text).toBe('target_status,render_timeout,A');
    expect(ran.filter((line) => line.startsWith('beforeNavigate'))).toEqual(['beforeNavigate 1 /', 'beforeNavigate 2 /']);
  });

  it('beyond the first needs a slot of the pool, which it returns', async () => {
    await using site = await openSite({ '/': '' });
    const { text } = await run(site.url('/'), async (context) => {
      const workers = [await open(context), await open(context)];
      const busy = host.kernel.status().busy;
      const waiting = new AbortController();
      const third = context
        .openWorker()
        .takeSlot(waiting.signal)
        .catch(() => 'left');
      waiting.abort(new Error('no longer'));
      const left = await third;
      for (const worker of workers) worker.releaseSlot();
      return [busy, left, host.kernel.status().busy].join();
    });
    expect(text).toBe('2,left,0');
    expect(host.kernel.status().busy).toBe(0);
  });

  it('cannot be opened by one of its own visits', async () => {
    await using site = await openSite({ '/': '' });
    const { text } = await run(site.url('/'), async (context) => {
      const worker = await open(context);
      return worker.visit({ url: site.url('/'), timeoutMs: null }, (visited) => {
        expect(() => visited.openWorker()).toThrow('only the render itself opens workers');
        return Promise.resolve('refused');
      });
    });
    expect(text).toBe('refused');
  });
});
