import { createMemoryStore, definePlugin, PlatenError, Stage } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import sharp from 'sharp';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import dom from '../../../../plugins/capture/dom/src/index.js';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import screenshot from '../../../../plugins/capture/screenshot/src/index.js';
import extract from '../../../../plugins/output/extract/src/index.js';
import html from '../../../../plugins/output/html/src/index.js';
import jsonl from '../../../../plugins/output/jsonl/src/index.js';
import markdown from '../../../../plugins/output/markdown/src/index.js';
import png from '../../../../plugins/output/png/src/index.js';
import txt from '../../../../plugins/output/txt/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import sitemap from '../../../../plugins/walk/sitemap/src/index.js';
import { isCacheable } from '../../../../plugins/service/cache/src/cacheable.js';
import { openSite, type Site } from '../../../helpers/site.js';

const page = (title: string, body: string) => `<!doctype html><title>${title}</title><nav>Menu</nav><main><h1>${title}</h1>${body}</main>`;

const PLUGINS = [dom, network, robots, walk, links, sitemap, extract, html, markdown, txt, warc, screenshot, png, jsonl];

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: PLUGINS });
  site = await openSite({
    '/': page(
      'Start',
      '<p class="price">1,299.50</p><a href="/a">a</a> <a href="/gone">gone</a> <a href="/secret">no</a> <a href="/f.pdf">f</a>',
    ),
    '/a': page('A', '<p>Text <b>bold</b></p><a href="/b">b</a><a href="/">start</a>'),
    '/b': page('B', '<p class="price">5</p>'),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret\n' },
    '/f.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.4 x' },
    '/article': page('Article', `<p>${'Words of the article, one after another. '.repeat(20)}</p>`.repeat(3)),
    '/sitemap.xml': ({ headers: { host: name } }) => ({
      headers: { 'content-type': 'application/xml' },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${['/a', '/b'].map((path) => `<url><loc>http://${String(name)}${path}</loc></url>`).join('')}</urlset>`,
    }),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

type Line = Readonly<Record<string, unknown>>;

async function render(path: string, params: Line = {}): Promise<readonly Line[]> {
  const { output, bytes } = await host.render({ url: site.url(path), output_type: 'jsonl', crawl_delay: 0, ...params });
  expect(output).toMatchObject({ contentType: 'application/x-ndjson', extension: 'jsonl' });
  const text = (await bytes()).toString();
  expect(text).toMatch(/\n$/);
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const pathOf = (url: unknown) => (typeof url === 'string' ? new URL(url).pathname : null);

it('is one page without a walk, as Markdown', async () => {
  const [line, ...others] = await render('/b');
  expect(others).toEqual([]);
  expect(line).toEqual({
    ...{ url: site.url('/b'), status: 200, title: 'B', depth: 0, parent: null, error: null },
    ...{ fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown, markdown: 'Menu\n\n# B\n\n5\n' },
  });
});

describe('a crawl', () => {
  it('has a line for each page, with its parent, and for each that failed', async () => {
    const lines = await render('/', { crawl_links: true, crawl_content: 'txt' });
    const rows = lines.map(({ url, status, title, depth, parent, error, txt: text }) => [
      ...[pathOf(url), status, title, depth, pathOf(parent), error],
      typeof text === 'string' ? text.split('\n')[0] : text,
    ]);
    expect(rows.sort()).toEqual(
      [
        ['/', 200, 'Start', 0, null, null, 'Menu'],
        ['/a', 200, 'A', 1, '/', null, 'Menu'],
        ['/b', 200, 'B', 2, '/a', null, 'Menu'],
        ['/f.pdf', 200, '', 1, '/', null, null],
        ['/gone', 404, '', 1, '/', expect.stringContaining('404'), null],
        ['/secret', null, '', 1, '/', expect.stringContaining('robots.txt'), null],
      ].sort(),
    );
  });

  it('has every member that is asked for, as its own render has it', async () => {
    const crawl_content = ['markdown', 'txt', 'html', 'metadata', 'links', 'extract'];
    const rules = { extract: { price: { selector: '.price', type: 'number', required: true } } };
    const lines = await render('/', {
      crawl_links: true,
      crawl_link_depth: 1,
      crawl_deny_url: ['*/gone', '*/secret', '*.pdf'],
      crawl_content,
      ...rules,
    });
    expect(lines).toHaveLength(2);
    const [start, a] = ['/', '/a'].map((path) => lines.find(({ url }) => url === site.url(path)));
    expect(start).toMatchObject({ extract: { price: 1299.5 }, metadata: { title: 'Start' }, error: null });
    expect(start?.['links']).toHaveLength(4);
    for (const type of ['markdown', 'txt', 'html']) {
      const { bytes } = await host.render({ url: site.url('/'), output_type: type });
      expect(start?.[type]).toBe((await bytes()).toString());
    }
    // A page without a required value has the rest, and the walk goes on.
    expect(a).toMatchObject({ extract: null, metadata: null, error: '"extract.price" is required, but the page has no value for it' });
    expect(a?.['markdown']).toContain('Text **bold**');
  });

  it('goes on at the links of a page whose content cannot be encoded', async () => {
    const broken = definePlugin({
      name: 'broken',
      apply({ hooks }) {
        hooks.encode.for('txt' as never).tap({ name: 'broken', stage: Stage.early }, () => {
          throw new PlatenError('encode_failed', 'the text cannot be written');
        });
      },
    });
    await using failing = createTestKernel({ plugins: [...PLUGINS, broken] });
    const { bytes } = await failing.render({
      ...{ url: site.url('/a'), output_type: 'jsonl', crawl_delay: 0 },
      ...{ crawl_links: true, crawl_content: ['txt', 'metadata'], crawl_link_depth: 1 },
    });
    const lines = (await bytes())
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(lines.map(({ url, txt: text, error }) => [pathOf(url), text, error]).sort()).toEqual([
      ['/', null, 'the text cannot be written'],
      ['/a', null, 'the text cannot be written'],
      ['/b', null, 'the text cannot be written'],
    ]);
    expect(lines.map(({ metadata }) => (metadata as { title: string }).title).sort()).toEqual(['A', 'B', 'Start']);
  });

  it('ends at its limits', async () => {
    expect(await render('/', { crawl_links: true, crawl_max_links: 2 })).toHaveLength(2);
    expect((await render('/', { crawl_links: true, archive_spill_max_bytes: 10, crawl_concurrency: 1 })).length).toBeLessThan(3);
  });

  it('reads the URLs of a sitemap', async () => {
    const lines = await render('/sitemap.xml', { crawl_url_is_sitemap: 'xml', crawl_content: ['metadata'] });
    expect(lines.map(({ url, depth, parent }) => [pathOf(url), depth, parent]).sort()).toEqual([
      ['/a', 0, null],
      ['/b', 0, null],
    ]);
  });

  it('has only the main content', async () => {
    const [line] = await render('/article', { main_content: true, crawl_content: ['txt'] });
    expect(line?.['txt']).toContain('Words of');
    expect(line?.['txt']).not.toContain('Menu');
  });
});

describe('a screenshot of each page', () => {
  const lineOf = (chunk: unknown) => JSON.parse(String(chunk)) as Readonly<Record<string, string>>;
  const crawl = {
    output_type: 'jsonl',
    crawl_delay: 0,
    crawl_links: true,
    crawl_deny_url: ['*/gone', '*/secret'],
    crawl_content: 'screenshot',
  };

  it('is an asset that can be fetched as soon as its line is there', async () => {
    const store = createMemoryStore();
    const { output, assets } = await host.render(
      { url: site.url('/'), ...crawl, image_clip: '0,0,300,200', image_transparent: true },
      { store },
    );
    const ids: (string | null)[] = [];
    for await (const chunk of output.body) {
      const { url, screenshot: id = null, error } = lineOf(chunk);
      expect(error).toBeNull();
      ids.push(id);
      if (pathOf(url) === '/f.pdf') {
        expect(id).toBeNull();
        continue;
      }
      const found = await store.find(id ?? '');
      if (typeof found !== 'object') throw new Error('the asset is not there');
      expect(found.asset).toMatchObject({ contentType: 'image/png', extension: 'png' });
      expect(await sharp(await buffer(found.asset.open())).metadata()).toMatchObject({
        format: 'png',
        width: 300,
        height: 200,
        hasAlpha: true,
      });
    }
    expect(new Set(ids).size).toBe(4);
    // The line names them: they are not listed a second time.
    expect(assets).toEqual({ kept: [], missing: [] });
  });

  it('is null, with the reason, if it cannot be taken or stored, and the walk goes on', async () => {
    const [line] = await render('/b', { crawl_content: ['screenshot', 'txt'], image_selector: '#nope' });
    expect(line).toMatchObject({
      screenshot: null,
      txt: expect.stringContaining('B') as string,
      error: expect.stringContaining('#nope') as string,
    });
    const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    const { bytes } = await host.render(
      { url: site.url('/a'), ...crawl, crawl_link_depth: 1 },
      { store: { ...createMemoryStore(), put: () => Promise.reject(full) } },
    );
    const lines = (await bytes()).toString().trim().split('\n').map(lineOf);
    expect(lines.map(({ screenshot: id, error }) => [id, error])).toEqual(
      Array.from({ length: 3 }, () => [null, 'the screenshot could not be stored: the disk is full']),
    );
  });

  it('is never in a cached result', () => {
    const { kernel } = host;
    const plan = (params: Line) => kernel.plan(kernel.validate({ url: site.url('/'), ...params }, 'body'));
    expect(isCacheable(plan(crawl), kernel.schema.keys)).toBe(false);
    expect(isCacheable(plan({ ...crawl, crawl_content: 'txt' }), kernel.schema.keys)).toBe(true);
  });
});

describe('refuses', () => {
  it.each([
    [{ output_type: 'txt', crawl_content: ['txt'] }, '"crawl_content" needs "output_type=jsonl"'],
    [{ crawl_content: ['extract'] }, '"crawl_content" with "extract" needs the parameter "extract"'],
    [{ extract: { a: 'p' } }, '"extract" needs "crawl_content" with "extract" for "output_type=jsonl"'],
    [{ extract_metadata: true }, '"extract_metadata" cannot be combined with "output_type=jsonl": use "crawl_content" with "metadata"'],
    [{ extract_links: true }, '"extract_links" cannot be combined with "output_type=jsonl": use "crawl_content" with "links"'],
    [{ extract_script: '1' }, '"extract_script" cannot be combined with "output_type=jsonl": use "output_type=json"'],
    [{ with_warc: true }, '"with_warc" cannot be combined with "output_type=jsonl"'],
    [{ crawl_content: ['png'] }, 'crawl_content'],
    [{ crawl_content: ['extract'], extract: { a: 'a:nope' } }, '"extract.a" is not a valid CSS selector: a:nope'],
    [
      { url: '/sitemap.xml', crawl_url_is_sitemap: 'xml', crawl_content: ['extract'], extract: { a: 'a:nope' } },
      '"extract.a" is not a valid CSS selector: a:nope',
    ],
  ])('%j', async ({ url = '/b', ...params }: Line, message) => {
    await expect(host.render({ url: site.url(String(url)), output_type: 'jsonl', ...params })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as string,
    });
  });

  it('content of a plugin that is not enabled', async () => {
    await using few = createTestKernel({ plugins: [network, walk, jsonl] });
    await expect(few.render({ url: site.url('/b'), output_type: 'jsonl' })).rejects.toThrow(
      '"crawl_content" needs the output type markdown',
    );
  });
});
