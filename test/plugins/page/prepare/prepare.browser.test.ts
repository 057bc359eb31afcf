import { definePlugin, Stage } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import dom from '@platen/plugin-dom';
import html from '@platen/plugin-html';
import mhtml from '@platen/plugin-mhtml';
import prepare from '@platen/plugin-prepare';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openWalkProber } from '../../capture/walk/walk-prober.js';

/** What every frame shows at the capture, by path. */
const PROBE = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'application/json', extension: 'json' }],
  apply({ hooks }) {
    hooks.capture
      .for('probe')
      .tapPromise('probe', async ({ page }) => Object.fromEntries(await page.inEveryFrame(({ evaluate }) => evaluate(readFrame))));
    hooks.encode.for('probe').tap('probe', (value) => ({ body: Buffer.from(JSON.stringify(value)) }));
  },
});

/** Runs in the page. */
function readFrame() {
  const visible = (root: ParentNode): string[] =>
    Array.from(root.querySelectorAll('p, b')).flatMap((element) => [
      ...(getComputedStyle(element).visibility === 'visible' ? [element.textContent] : []),
    ]);
  const all = (root: ParentNode): string[] => [
    ...visible(root),
    ...Array.from(root.querySelectorAll('*')).flatMap(({ shadowRoot }) => (shadowRoot === null ? [] : all(shadowRoot))),
  ];
  const { color } = getComputedStyle(document.documentElement);
  return [location.pathname, { color, shown: all(document).join(' '), early: document.documentElement.dataset['early'] }] as const;
}

type Probed = Readonly<Record<string, { readonly color: string; readonly shown: string; readonly early?: string }>>;

const EARLY = '<script>document.documentElement.dataset.early = getComputedStyle(document.documentElement).color</script>';
const ITEMS = '<p>kept</p><p class=a>hidden <b style="visibility: visible">within</b></p><p class=b>removed</p>';
const LATER = `<script>
  const grow = () => {
    document.body.insertAdjacentHTML('beforeend', \`<p class=a>later</p><p class=b>later</p>\`);
    document.body.append(document.createElement('x-late'));
    customElements.define('x-late', class extends HTMLElement { connectedCallback() { setTimeout(() => {
      this.attachShadow({ mode: 'open' }).innerHTML = \`<p>own</p><p class=a>deep</p><p class=b>deep</p>\`; }) } });
    const frame = document.createElement('iframe');
    frame.src = '/late-frame';
    document.body.append(frame);
    document.adoptedStyleSheets = [];
  };
</script>`;

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [prepare, PROBE, target, wait, html, dom, mhtml] });
  site = await openSite({
    '/': () =>
      `<!doctype html>${EARLY}${ITEMS}<x-open></x-open><iframe src=/same></iframe><iframe src="${site.url('/other', 'localhost')}"></iframe>
      <script>customElements.define('x-open', class extends HTMLElement { connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<p class=a>shadow</p><p class=b>shadow</p><p>open</p>'; } })</script>`,
    '/same': `<!doctype html>${EARLY}${ITEMS}`,
    '/other': `<!doctype html>${EARLY}${ITEMS}`,
    '/late': `<!doctype html>${LATER}${ITEMS}<script>setTimeout(grow, 300)</script>`,
    '/late-frame': `<!doctype html>${ITEMS}`,
    '/plain': `<!doctype html><title>Plain</title>${ITEMS}`,
    '/needs': `<!doctype html>${ITEMS}<script>setTimeout(() => { document.querySelector('.b').id = 'ready' }, 200)</script>`,
    '/moves': `<!doctype html>${ITEMS}<script>setTimeout(() => { location = '/plain' }, 200)</script>`,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function probe(path: string, params: Readonly<Record<string, unknown>>): Promise<Probed> {
  const result = await host.render({ url: site.url(path), output_type: 'probe', ...params });
  return JSON.parse((await result.bytes()).toString()) as Probed;
}

const RED = 'rgb(255, 0, 0)';
const CSS = { css: 'html { color: rgb(255, 0, 0) }' };

describe('css', () => {
  it('holds in every frame before its first script', async () => {
    const frames = await probe('/', CSS);
    expect(Object.keys(frames).sort()).toEqual(['/', '/other', '/same']);
    for (const frame of Object.values(frames)) expect(frame).toMatchObject({ color: RED, early: RED });
  });

  it('holds in a document without scripts', async () => {
    expect(await probe('/plain', CSS)).toMatchObject({ '/plain': { color: RED } });
  });

  it('is put back where the page replaces its list of style sheets', async () => {
    expect(await probe('/late', { ...CSS, wait_for: '0.6' })).toMatchObject({ '/late': { color: RED }, '/late-frame': { color: RED } });
  });

  it.each(['html', 'mhtml'])('is part of %s', async (output_type) => {
    const result = await host.render({ url: site.url('/plain'), output_type, css: 'html { color: rgb(1, 2, 3) }' });
    expect((await result.bytes()).toString()).toMatch(/rgb\(1(?:,|%2C)/);
  });

  it('has at most 256 KiB', async () => {
    await expect(probe('/', { css: 'ü'.repeat(131_073) })).rejects.toMatchObject({
      ...{ code: 'invalid_parameters', message: '"css" must have at most 256 KiB' },
    });
  });
});

describe('hide_selector and remove_selector', () => {
  const RULES = { hide_selector: ['.a'], remove_selector: ['.b'] };

  it('hold in frames and open shadow trees, for elements within that are visible by themselves too', async () => {
    const frames = await probe('/', RULES);
    expect(frames).toMatchObject({ '/': { shown: 'kept open' }, '/same': { shown: 'kept' }, '/other': { shown: 'kept' } });
  });

  it('hold for what appears later: elements, shadow trees, frames', async () => {
    const frames = await probe('/late', { ...RULES, wait_for: 'immediate', wait_after: 1.5 });
    expect(frames).toMatchObject({ '/late': { shown: 'kept own' }, '/late-frame': { shown: 'kept' } });
  });

  it('begin once the page is ready', async () => {
    expect(await probe('/needs', { remove_selector: '.b', wait_for: 'css:#ready' })).toMatchObject({
      '/needs': { shown: expect.not.stringContaining('removed') },
    });
  });

  it('hold in a document to which the page goes on', async () => {
    expect(await probe('/moves', { ...RULES, wait_after: 1 })).toMatchObject({ '/plain': { shown: 'kept' } });
  });

  it('do nothing without a match, and read selectors to their end as browsers do', async () => {
    expect(await probe('/plain', { hide_selector: ['.none', '[class="a'], remove_selector: '#none' })).toMatchObject({
      '/plain': { shown: 'kept removed' },
    });
  });

  it.each(['hide_selector', 'remove_selector'])('%s: a selector that is not valid is a 400 before the page is loaded', async (key) => {
    const before = site.requests.length;
    await expect(probe('/', { [key]: ['p', '..a'] })).rejects.toMatchObject({
      ...{ code: 'invalid_parameters', message: `"${key}" is not a valid CSS selector: ..a` },
      details: { errors: [{ parameter: key }] },
    });
    expect(site.requests).toHaveLength(before);
  });
});

describe('wait_after', () => {
  it('waits once the condition is met, and extends the default timeout only', () => {
    const plan = (params: Readonly<Record<string, unknown>>) =>
      host.kernel.plan(host.kernel.validate({ url: site.url('/'), ...params }, 'body'));
    expect(plan({ output_type: 'probe', wait_after: 12.5 }).timeoutMs).toBe(42_500);
    expect(plan({ output_type: 'probe', wait_after: 12.5, timeout: 20 }).timeoutMs).toBe(20_000);
  });

  it('names itself where the time is up', async () => {
    await expect(probe('/plain', { wait_after: 5, timeout: 1 })).rejects.toMatchObject({
      ...{ code: 'render_timeout', details: { phase: 'wait', unmet: 'wait_after=5' } },
    });
  });

  it.each([-1, 301, 'soon'])('%s is a 400', async (wait_after) => {
    await expect(probe('/plain', { wait_after })).rejects.toMatchObject({ code: 'invalid_parameters' });
  });
});

it('in a walk all keys hold on every page, each from when it is ready', async () => {
  const seen: string[] = [];
  const note = definePlugin({
    name: 'note',
    apply({ hooks }) {
      hooks.interact.tapPromise({ name: 'note', stage: Stage.first }, async ({ page }) => {
        seen.push(`ready ${(await page.evaluate(readFrame)).map((one) => (typeof one === 'string' ? one : one.shown)).join(' ')}`);
      });
      hooks.beforeCapture.tapPromise({ name: 'note', stage: Stage.last }, async ({ page }) => {
        const [path, { color, shown }] = await page.evaluate(readFrame);
        seen.push(`captured ${path} ${color} ${shown}`);
      });
    },
  });
  await using pages = await openSite({
    '/': `<!doctype html>${ITEMS}<a href=/1>1</a><a href=/2>2</a>`,
    '/1': `<!doctype html>${ITEMS}`,
    '/2': `<!doctype html>${ITEMS}`,
  });
  await using prober = openWalkProber({}, undefined, [prepare, note]);
  const params = { ...CSS, hide_selector: '.a', remove_selector: '.b', wait_after: 0.2, crawl_links: true, crawl_concurrency: 1 };
  const { summary } = await prober.walk({ url: pages.url('/'), ...params });
  expect(summary).toMatchObject({ done: 3, failed: 0 });
  const all = ['/', '/1', '/2'];
  const shown = 'kept hidden within within removed';
  expect(seen).toEqual(all.flatMap((path) => [`ready ${path} ${shown}`, `captured ${path} ${RED} kept`]));
});
