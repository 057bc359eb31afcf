import { buffer } from 'node:stream/consumers';
import { definePlugin, PlatenError } from '@platen/kernel';
import { createTestKernel, type TestKernel, type TestRender } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { inspectPdf } from '../../output/pdf/inspect-pdf.js';

/** Fails as a capture can, each in its way. */
const failing = definePlugin({
  name: 'failing',
  captures: [
    { kind: 'refused', combines: 'reading' },
    { kind: 'crash', combines: 'reading' },
    { kind: 'leave', combines: 'reading' },
  ],
  outputs: [
    { type: 'refused', from: 'refused', contentType: 'text/plain', extension: 'refused' },
    { type: 'unwritten', from: 'refused', contentType: 'text/plain', extension: 'unwritten' },
    { type: 'crash', from: 'crash', contentType: 'text/plain', extension: 'crash' },
    { type: 'leave', from: 'leave', contentType: 'text/plain', extension: 'leave' },
  ],
  assets: [{ key: 'with_media', name: 'media' }],
  params: { with_media: { type: 'boolean', description: 'The medium and the styles of the page, after all captures.' } },
  apply({ hooks }) {
    hooks.additionalAssets.tapPromise({ name: 'failing', for: { asset: 'with_media' } }, async ({ page }, assets) => {
      const body = await page.evaluate(() => `${String(matchMedia('print').matches)} ${String(document.adoptedStyleSheets.length)}`);
      await assets.add({ name: 'media', contentType: 'text/plain', extension: 'media', body: Buffer.from(body) });
    });
    hooks.capture.for('refused').tap('failing', ({ plan }) => {
      if (plan.output.type === 'refused') throw new PlatenError('selector_not_found', 'there is nothing of the kind');
      return 'captured';
    });
    hooks.encode.for('refused').tap('failing', () => ({ body: Buffer.of() }));
    hooks.encode.for('unwritten').tap('failing', () => {
      throw new Error('a mistake');
    });
    hooks.capture.for('crash').tapPromise('failing', async ({ page }) => {
      await page.send('Page.crash');
      return 'captured';
    });
    hooks.encode.for('crash').tap('failing', () => ({ body: Buffer.of() }));
    hooks.capture.for('leave').tapPromise('failing', async ({ page }) => {
      if (!(await page.evaluate(() => location.pathname.endsWith('/second')))) {
        await page.evaluate(() => {
          location.href = '/second';
        });
        await page.evaluate(() => new Promise(() => undefined));
      }
      return 'captured';
    });
    hooks.encode.for('leave').tap('failing', () => ({ body: Buffer.from('there') }));
  },
});

const PRINTED = `<title>Printed</title><h1>Hi</h1><p>Some words</p><script>
  addEventListener('beforeprint', () => document.body.append('printed'));
</script>`;
/** No page of a PDF is so high. */
const ENDLESS = '<div style="height:30000px">high</div>';
const TALL = '<body style="margin:0"><div style="height:3000px;background:linear-gradient(red,blue)"></div><p>end';

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: [...(await Promise.all(listPlugins().map(importPlugin))), failing] });
  site = await openSite({
    '/': PRINTED,
    '/tall': TALL,
    '/endless': ENDLESS,
    '/second': '<title>Second</title><p>Second',
    '/never': () => undefined,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const render = (params: Readonly<Record<string, unknown>>) => host.render({ url: site.url('/'), ...params });

async function read({ assets }: TestRender, name: string): Promise<Buffer> {
  const found = assets.kept.find((asset) => asset.name === name);
  return found === undefined ? Buffer.of() : buffer(found.open());
}

describe('with_output', () => {
  it('loads the page once, and records in the HAR what the page asked for', async () => {
    const before = site.requests.length;
    const result = await render({ with_output: ['pdf', 'har', 'markdown'] });
    expect(site.requests.length - before).toBe(1);
    const { log } = JSON.parse((await read(result, 'har')).toString()) as {
      log: { entries: { response: { content: { text?: string } } }[] };
    };
    expect(log.entries.map(({ response }) => response.content.text)).toEqual([PRINTED]);
  });

  it.each(['png', 'pdf', 'markdown'])('prints last: nothing else beside %s shows what printing changes', async (output_type) => {
    const all = ['png', 'pdf', 'markdown'];
    const result = await render({ output_type, with_output: all.filter((type) => type !== output_type) });
    const own = new Map([[output_type, await result.bytes()]]);
    for (const type of all) if (!own.has(type)) own.set(type, await read(result, type));
    expect(own.get('markdown')?.toString()).not.toContain('printed');
    const { text } = await inspectPdf(own.get('pdf') ?? Buffer.of());
    expect(text).toContain('printed');
  });

  it('a parameter of one output does not reach the others', async () => {
    const result = await render({ output_type: 'markdown', markdown_selector: 'h1', with_output: ['txt', 'html'] });
    expect((await result.bytes()).toString()).not.toContain('Some words');
    expect((await read(result, 'txt')).toString()).toContain('Some words');
  });

  it('the content type is that of the own render', async () => {
    const { assets } = await render({ markdown_format: 'gfm', with_output: ['markdown'] });
    expect(assets.kept.map(({ contentType, extension }) => [contentType, extension])).toEqual([
      ['text/markdown; charset=utf-8; variant=GFM', 'md'],
    ]);
  });

  it('one that fails is missing with its reason, the others are there', async () => {
    const result = await render({ with_output: ['refused', 'unwritten', 'pdf'] });
    expect(result.assets.missing).toEqual(
      expect.arrayContaining([
        { name: 'refused', reason: 'there is nothing of the kind' },
        { name: 'unwritten', reason: expect.any(String) },
      ]),
    );
    expect(result.assets.kept.map(({ name }) => name)).toEqual(['pdf']);
  });

  it.each([
    ['/', { pdf_page_ranges: '99' }],
    ['/', { pdf_page_ranges: '2', pdf_single_page: true }],
    ['/endless', { pdf_single_page: true }],
  ])('after a pdf of %s that fails by %j, the page is as it was', async (path, params) => {
    const result = await render({ url: site.url(path), with_output: ['pdf'], with_media: true, ...params });
    expect(result.assets.missing.map(({ name }) => name)).toEqual(['pdf']);
    expect((await read(result, 'media')).toString()).toBe('false 0');
  });

  it('a page that is lost fails the render, and the next one works', async () => {
    await expect(render({ with_output: ['crash', 'pdf'] })).rejects.toMatchObject({ code: 'page_crashed' });
    await expect(render({ with_output: ['pdf'] })).resolves.toMatchObject({ assets: { missing: [] } });
  });

  it('a page that navigates meanwhile is captured anew, all of it', async () => {
    const result = await render({ with_output: ['leave', 'markdown'], output_type: 'html' });
    expect((await result.bytes()).toString()).toContain('Second');
    expect((await read(result, 'markdown')).toString()).toContain('Second');
    expect((await read(result, 'leave')).toString()).toBe('there');
  });

  it('a failed render names none of them as missing', async () => {
    const failed = await render({ url: site.url('/nothing'), with_output: ['pdf'] }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'target_status' });
    expect(failed).not.toHaveProperty('assets.missing.0');
  });

  it('with full_page, the picture is of the whole page', async () => {
    const result = await render({ url: site.url('/tall'), full_page: true, with_output: ['pdf', 'txt'] });
    expect((await result.bytes()).readUInt32BE(20)).toBeGreaterThan(3000);
    expect((await read(result, 'txt')).toString()).toContain('end');
  });

  it('a HAR of a page that does not load is there, and its other outputs are missing', async () => {
    const url = `data:text/html,<title>Slow</title><img src="${site.url('/never')}">`;
    const result = await render({ url, output_type: 'har', timeout: 6, with_output: ['txt', 'png'] });
    expect(result.headers).toMatchObject({ 'X-Timeout': 'wait' });
    expect(result.assets.missing.map(({ name, reason }) => [name, reason])).toEqual([
      ['txt', 'the page did not load in time'],
      ['png', 'the page did not load in time'],
    ]);
  });
});
