import { definePlugin, findBrowsers } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import pdf from '@platen/plugin-pdf';
import print from '@platen/plugin-print';
import target from '@platen/plugin-target';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isTimeForTwo } from '../../../../plugins/capture/print/src/full-chrome-fallback.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { isColour } from '../../capture/pictures.js';
import { drawPage, inspectPdf } from './inspect-pdf.js';

const effects = definePlugin({
  name: 'test-effects',
  params: { has_effect: { type: 'boolean', description: 'Loading the page twice would do harm.' } },
  plan(draft) {
    if (draft.params.has_effect === true) draft.disableRetry();
  },
});

const TAKEN_AGAIN = { 'X-Capture-Fallback': 'cross-site-iframes' };
const host = createTestKernel({ plugins: [print, pdf, target, effects] });
/** Frames are of another site where their host is not the page's own. */
const frame = (path: string, { at = 'localhost', attributes = '' } = {}) => `<iframe ${attributes} src="${site.url(path, at)}"></iframe>`;
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/': () => `<h1>Main</h1>${frame('/outer')}${frame('/two', { at: 'two.localhost' })}`,
    '/outer': () => `Outer${frame('/nested', { at: '127.0.0.1' })}`,
    '/nested': 'Nested',
    '/two': 'Two',
    '/three': 'Three',
    '/ran': 'thanks',
    '/own-process': { headers: { 'origin-agent-cluster': '?1' }, body: 'Cluster' },
    '/apart': () =>
      `${frame('/own-process')}${frame('/two', { at: '127.0.0.1', attributes: 'sandbox' })}<iframe sandbox srcdoc=Written></iframe>`,
    '/lazy': () => `<h1>Main</h1><div style="height:9000px"></div>${frame('/two', { attributes: 'loading=lazy' })}`,
    '/within': () => `Page${frame('/holds', { at: '127.0.0.1' })}`,
    '/holds': () => `Holds${frame('/two')}`,
    '/misled': () => `<script>Element.prototype.checkVisibility=()=>false</script>Page${frame('/two')}`,
    '/paper-alone': () => `<style>@media screen{iframe{display:none}}</style>Page${frame('/two')}`,
    '/colours': () =>
      `<style>@page{margin:0}*{margin:0;border:0}iframe{display:block;width:300px;height:200px}</style>${frame('/red')}${frame('/blue', { at: 'two.localhost' })}`,
    '/red': '<style>html{background:#f00}</style>',
    '/blue': '<style>html{background:#00f}</style>',
    '/plain': 'Plain',
    '/same': () => `Page${frame('/two', { at: '127.0.0.1' })}`,
    '/shown': (request) => {
      const style = new URL(request.url ?? '', 'http://site').searchParams.get('style') ?? '';
      return `Page<div style="${style}">${frame('/two', { attributes: `style="${style}"` })}</div>`;
    },
    '/hidden-within': () => `Page${frame('/holds', { at: '127.0.0.1', attributes: 'style="opacity:0"' })}`,
    '/counts': () => `Page${frame('/two', { attributes: 'width=1 height=1' })}`,
    '/wrapped': () => `Page<div style="height:0;overflow:hidden">${frame('/two')}</div>`,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function render(path: string, params: object = {}, { kernel = host }: { readonly kernel?: TestKernel } = {}) {
  const before = site.requests.length;
  const { headers, bytes } = await kernel.render({ url: site.url(path), output_type: 'pdf', ...params });
  const body = await bytes();
  const loads = site.requests.slice(before).filter(({ url }) => url === path).length;
  return { headers, body, loads, text: (await inspectPdf(body)).text };
}

const everythingIsGivenBack = (browsers: number) =>
  vi.waitFor(() => expect(host.kernel.status()).toMatchObject({ busy: 0, inFlight: 0, browsers }), { timeout: 20_000 });

describe('frames of other sites are on the paper', () => {
  it.each([
    ['two of them, and one within', '/', ['Main', 'Outer', 'Nested', 'Two']],
    ['frames that keep to themselves: of an origin of its own, and in sandboxes', '/apart', ['Cluster', 'Two', 'Written']],
    ['one that is loaded when the page is printed', '/lazy', ['Main', 'Two']],
    ["one within a frame of the page's own site", '/within', ['Page', 'Holds', 'Two']],
    ['one in a page that is wrong about what is visible', '/misled', ['Page', 'Two']],
    ['one in a box', '/shown?style=', ['Page', 'Two']],
    ['one that is there on paper alone', '/paper-alone', ['Page', 'Two']],
  ])('%s', async (_what, path, words) => {
    const { text, headers, loads } = await render(path);
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(words));
    expect(headers).toEqual(TAKEN_AGAIN);
    expect(loads).toBe(2);
    await everythingIsGivenBack(1);
  });

  it('with a script of the request\u2019s own, which runs once', async () => {
    const before = site.requests.length;
    const javascript = `document.querySelector('h1').textContent = 'Changed'; await fetch('/ran')`;
    const { text, headers, loads } = await render('/', { javascript });
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(['Changed', 'Outer', 'Nested', 'Two']));
    expect({ headers, loads }).toEqual({ headers: TAKEN_AGAIN, loads: 2 });
    expect(site.requests.slice(before).filter(({ url }) => url === '/ran')).toHaveLength(1);
    await everythingIsGivenBack(1);
  });

  it('where they are in the page', async () => {
    const picture = await drawPage((await render('/colours')).body);
    // 300 x 200 pixels of CSS are 225 x 150 points.
    expect(isColour(picture.at(112, 75), [255, 0, 0], 2)).toBe(true);
    expect(isColour(picture.at(112, 225), [0, 0, 255], 2)).toBe(true);
    expect(isColour(picture.at(112, 375), [255, 255, 255], 2)).toBe(true);
  });

  it('at once in full Chromium, which prints them by itself', async () => {
    const { full } = await findBrowsers();
    await using kernel = createTestKernel({ plugins: [print, pdf], flags: { 'browser-path': full?.path ?? 'no full Chromium' } });
    const { text, headers, loads } = await render('/', {}, { kernel });
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(['Outer', 'Nested', 'Two']));
    expect(headers).toEqual({});
    expect(loads).toBe(1);
  });
});

describe('a page is loaded once', () => {
  it.each([
    ['without frames', '/plain'],
    ['with frames of its own site', '/same'],
    ['with a frame that is not displayed', '/shown?style=display:none'],
    ['with a transparent frame', '/shown?style=opacity:0'],
    ['with an invisible frame', '/shown?style=visibility:hidden'],
    ['with a frame above it', '/shown?style=position:absolute;top:-9999px'],
    ['with a frame left of it', '/shown?style=position:absolute;left:-9999px'],
    ['with a frame of no size', '/shown?style=transform:scale(0)'],
    ['with a frame that counts visitors', '/counts'],
    ['with a frame in a box of no height', '/wrapped'],
    ['with a frame within a hidden one', '/hidden-within'],
  ])('%s', async (_what, path) => {
    const { headers, loads } = await render(path);
    expect({ headers, loads }).toEqual({ headers: {}, loads: 1 });
  });

  it('where loading it twice would do harm: the answer says how many frames are blank', async () => {
    const { headers, loads, text } = await render('/', { has_effect: true });
    expect({ headers, loads }).toEqual({ headers: { 'X-Print-Frames-Omitted': '2' }, loads: 1 });
    expect(text.trim()).toBe('Main');
  });

  it('where the request\u2019s own script brings the frame, and would run twice', async () => {
    const javascript = `document.body.insertAdjacentHTML('beforeend', '${frame('/two')}'); await new Promise((done) => { document.querySelector('iframe').onload = done })`;
    const { headers, loads } = await render('/plain', { javascript });
    expect({ headers, loads }).toEqual({ headers: { 'X-Print-Frames-Omitted': '1' }, loads: 1 });
  });

  it.each([
    [{ opened: 0, now: 4_000, endsAt: 30_000 }, true],
    [{ opened: 0, now: 15_000, endsAt: 30_000 }, false],
    [{ opened: 0, now: 15_000, endsAt: Infinity }, true],
    [{ opened: 500, now: 1_000, endsAt: 2_500 }, false],
  ])('where a second time would come too late: %j', (times, enough) => {
    expect(isTimeForTwo(times)).toBe(enough);
  });
});

describe('the second take', () => {
  /** A page that is there once; what it does then. */
  async function openOnce(then: 'fails' | 'hangs') {
    let loads = 0;
    return openSite({
      '/': () => {
        loads += 1;
        if (loads === 1) return `Main${frame('/two')}`;
        return then === 'fails' ? { status: 503, body: 'no more' } : undefined;
      },
    });
  }

  it('that fails is answered with its error', async () => {
    await using once = await openOnce('fails');
    const rendering = host.render({ url: once.url('/'), output_type: 'pdf' });
    await expect(rendering).rejects.toMatchObject({ code: 'target_status', details: { target: { status: 503 } } });
    await everythingIsGivenBack(1);
  });

  it('has what is left of the time', async () => {
    await using once = await openOnce('hangs');
    const rendering = host.render({ url: once.url('/'), output_type: 'pdf', timeout: 10 });
    await expect(rendering).rejects.toMatchObject({ code: 'render_timeout', details: { phase: 'navigate' } });
    expect(once.requests).toHaveLength(2);
    await everythingIsGivenBack(1);
  });

  it('ends when the client leaves', async () => {
    await using once = await openOnce('hangs');
    const client = new AbortController();
    const rendering = host.render({ url: once.url('/'), output_type: 'pdf' }, { signal: client.signal });
    const failing = expect(rendering).rejects.toMatchObject({ code: 'client_closed' });
    await vi.waitFor(() => expect(once.requests).toHaveLength(2), { timeout: 20_000 });
    client.abort();
    await failing;
    await everythingIsGivenBack(1);
  });
});
