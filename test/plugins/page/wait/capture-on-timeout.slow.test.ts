import type { ServerResponse } from 'node:http';
import { definePlugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { decodePicture } from '../../capture/pictures.js';
import { inspectPdf } from '../../output/pdf/inspect-pdf.js';

const WORDS = '<title>Slow</title><body style="background:lime"><p>Some words';

/** None of them loads. */
const PAGES: Readonly<Record<string, string>> = {
  '/picture': `${WORDS}<img src="/never">`,
  '/script': `${WORDS}<script src="/never"></script><p>never`,
  '/style': `<link rel="stylesheet" href="/never">${WORDS}`,
  '/frame': `${WORDS}<iframe src="/never"></iframe>`,
  '/busy': `${WORDS}<img src="/never"><script>addEventListener('DOMContentLoaded', () => setTimeout(() => { for (;;); }, 500))</script>`,
};

/** Begins a document, and never ends it. */
function begin(_request: unknown, response: ServerResponse): undefined {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.write(`${WORDS}${' '.repeat(2000)}`);
  return undefined;
}

/** Opens the page, and never comes to an end. */
const wanderer = definePlugin({
  name: 'wanderer',
  params: { wander: { type: 'string', description: 'Before or after the page is open.' } },
  apply({ hooks }) {
    hooks.navigate.tapPromise({ name: 'wanderer', for: { param: 'wander' } }, async (context) => {
      if (context.params.wander === 'after') await context.open();
      return new Promise(() => undefined);
    });
  },
});

/** Asks for what never comes when it is clicked. */
const ACTING = `${WORDS}<button onclick="fetch('/never')">Poll</button><button onclick="fetch('/acted')">Act</button>`;

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: [...(await Promise.all(listPlugins().map(importPlugin))), wanderer] });
  site = await openSite({ ...PAGES, '/endless': begin, '/never': () => undefined, '/loaded': WORDS, '/acting': ACTING });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const LATE = { timeout: 5, capture_on_timeout: true };
const render = (path: string, params: Readonly<Record<string, unknown>>) => host.render({ url: site.url(path), ...LATE, ...params });

/** Whether an output shows the page. */
const SHOWS: Readonly<Record<string, (bytes: Buffer) => Promise<boolean>>> = {
  png: async (bytes) => (await decodePicture(bytes)).data.subarray(0, 3).equals(Buffer.of(0, 255, 0)),
  pdf: async (bytes) => (await inspectPdf(bytes)).text.includes('Some words'),
  markdown: (bytes) => Promise.resolve(bytes.toString().includes('Some words')),
  har: (bytes) => Promise.resolve(bytes.toString().includes('/never') || bytes.toString().includes('/endless')),
};

describe('capture_on_timeout', () => {
  it.each([...Object.keys(PAGES), '/endless'])('%s, which never loads, is captured as it is', async (path) => {
    const made = await Promise.all(
      Object.entries(SHOWS).map(async ([output_type, shows]) => {
        const result = await render(path, { output_type });
        return [output_type, result.headers['X-Timeout'], await shows(await result.bytes())];
      }),
    );
    expect(made).toEqual(Object.keys(SHOWS).map((type) => [type, 'wait', true]));
  });

  it('all outputs of one load, too', async () => {
    const result = await render('/picture', { with_output: ['pdf', 'markdown', 'har'] });
    expect(result.headers).toMatchObject({ 'X-Timeout': 'wait' });
    expect(result.assets.missing).toEqual([]);
    const recorded = await render('/picture', { output_type: 'har', with_output: ['png', 'txt'] });
    expect(recorded.assets.missing).toEqual([]);
  });

  it.each([{ wait_for: 'css:#never' }, { wait_for: 'js:never' }, { wait_for: 'css:#never', full_page: true }, { wait_for: '60' }])(
    'a condition that is not met: %j',
    async (params) => {
      const result = await render('/loaded', params);
      expect(result.headers).toMatchObject({ 'X-Timeout': 'wait' });
      expect(await SHOWS['png']?.(await result.bytes())).toBe(true);
    },
  );

  it('a navigation that does not end', async () => {
    const result = await render('/loaded', { wander: 'after' });
    expect(result.headers).toMatchObject({ 'X-Timeout': 'navigate' });
    expect(await SHOWS['png']?.(await result.bytes())).toBe(true);
  });

  it.each([
    ['has not opened a page', { wander: 'before' }],
    ['makes the output itself', { wander: 'after', output_type: 'trace' }],
  ])('a navigation that does not end and %s is a 504', async (_what, params) => {
    await expect(render('/loaded', { ...params, timeout: 3 })).rejects.toMatchObject({ code: 'render_timeout' });
  });

  // The second step would be taken when the page is no longer kept busy: while it is captured.
  it('no step is taken once the time is up', async () => {
    const result = await render('/acting', { steps: [{ click: 'text=Poll' }, { click: 'text=Act' }], remove_modals: true });
    expect(result.headers).toMatchObject({ 'X-Timeout': 'wait' });
    expect(site.requests.map(({ url }) => url)).not.toContain('/acted');
  });

  it('a page that loads in time is not affected', async () => {
    const result = await render('/loaded', {});
    expect(result.headers).not.toHaveProperty('X-Timeout');
  });

  it('without a document it is a 504 as ever', async () => {
    await expect(render('/never', { timeout: 2 })).rejects.toMatchObject({ code: 'render_timeout', details: { phase: 'navigate' } });
  });

  it('without the key it is a 504 as ever', async () => {
    await expect(render('/picture', { timeout: 3, capture_on_timeout: false })).rejects.toMatchObject({
      code: 'render_timeout',
      details: { phase: 'wait', unmet: 'load' },
    });
  });
});

/** Answers for its robots.txt when the time of the page is up, which ends what the page asks for: with rules, or never. */
async function openUnsure(rules: string | undefined): Promise<Site> {
  let isUp = (): void => undefined;
  const up = new Promise<void>((resolve) => (isUp = resolve));
  return openSite({
    '/robots.txt': async () => {
      await up;
      return rules === undefined ? undefined : { headers: { 'content-type': 'text/plain' }, body: rules };
    },
    '/target': `${WORDS}<script>fetch('/never')</script>`,
    '/never': ({ socket }) => {
      socket.once('close', isUp);
      return undefined;
    },
  });
}

describe.each([
  ['a redirect', (url: string) => ({ status: 302, headers: { location: url } })],
  ['a script', (url: string) => `<script>location.href = ${JSON.stringify(url)}</script>`],
] as const)('a page to which %s leads, and whose robots.txt is late', (_how, leadTo) => {
  const lead = async (rules: string | undefined) => {
    const target = await openUnsure(rules);
    const start = await openSite({ '/': () => leadTo(target.url('/target', 'localhost')) });
    onTestFinished(async () => {
      await start[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });
    return host.render({ url: start.url('/'), ...LATE, output_type: 'markdown' });
  };

  it('is captured if that allows it', async () => {
    const result = await lead('User-agent: *\nDisallow: /other');
    expect(result.headers).toMatchObject({ 'X-Timeout': 'wait' });
    expect((await result.bytes()).toString()).toContain('Some words');
  });

  it('is refused if that disallows it', async () => {
    await expect(lead('User-agent: *\nDisallow: /')).rejects.toMatchObject({ code: 'robots_disallowed' });
  });

  it('is a 504 as without the key if that is not there soon', async () => {
    const unmet = expect.stringContaining('/robots.txt') as string;
    await expect(lead(undefined)).rejects.toMatchObject({ code: 'render_timeout', details: { phase: 'wait', unmet } });
  });
});
