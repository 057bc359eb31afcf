import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import extract from '../../../../plugins/output/extract/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';

const LISTING = `<!doctype html><html lang="en"><head><title>Shoes</title><base href="/shop/"></head><body>
<h1> Shoes  <small>2 of 2</small></h1>
${[
  ['Runner', '$1,299.50', 'runner', ['light', 'red']],
  ['Walker', 'sold out', 'walker?a=1', []],
]
  .map(
    ([name, price, link, tags]) => `<div class="product" data-id="${String(name)[0] ?? ''}"><h2>${String(name)}</h2>
<span class="price">${String(price)}</span><a href="${String(link)}">more</a><img src="/i/${String(name)}.png">
<ul>${(tags as string[]).map((tag) => `<li>${tag}</li>`).join('')}</ul></div>`,
  )
  .join('')}
<section id="text"><p>A <b>bold</b> word and <a href="x">a link</a>.</p><script>1</script><p hidden>gone</p></section>
<form name="documentElement"><input name="title"></form>
</body></html>`;

const HEAD = `<!doctype html><html lang="pt-BR"><head>
<title> A title </title><meta name="Description" content=" About it "><link rel="canonical" href="/canonical">
<meta property="og:title" content="OG"><meta property="og:image" content="/1.png"><meta property="og:image" content="/2.png">
<meta name="twitter:card" content="summary"><meta name="robots" content="noindex"><meta name="author" content="Ada"><meta property="og:__proto__" content="x">
<link rel="shortcut icon" href="/favicon.ico"><link rel="apple-touch-icon" sizes="180x180" href="touch.png">
<link rel="alternate" type="application/rss+xml" title="News" href="/rss"><link rel="alternate" hreflang="de" href="/de">
<script type="application/ld+json">{"@type": "Article", "headline": "H"}</script><script type="application/ld+json">not json</script>
<script type="application/ld+json; charset=utf-8">[{"@type": "A"}, {"@type": "B"}]</script></head>
<body><a href="/a" rel="nofollow NOOPENER"> One <b>two</b></a><a href="/a">One two</a><a href="javascript:void 0">no</a>
<a href="/b"><img alt="Picture" src="/p.png"></a><a href="#top" aria-label="Up"></a><a href="http://[">broken</a></body>`;

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [extract] });
  site = await openSite({
    '/list': LISTING,
    '/head': HEAD,
    '/empty': '<!doctype html><p>x',
    '/csp': { headers: { 'content-security-policy': "script-src 'none'; require-trusted-types-for 'script'" }, body: LISTING },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function read(path: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
  const { bytes } = await host.render({ url: site.url(path), ...params });
  return JSON.parse((await bytes()).toString()) as Readonly<Record<string, unknown>>;
}

describe('extract', () => {
  it('reads a listing by selectors, with types and nesting, and chooses the output type', async () => {
    const fields = {
      id: { selector: ':scope', attribute: 'data-id' },
      name: 'h2',
      price: { selector: '.price', type: 'number' },
      link: { selector: 'a', type: 'url' },
      picture: { selector: 'img', attribute: 'src' },
      raw: { selector: 'img', attribute: 'src', type: 'text' },
      tags: { selector: 'li', all: true },
      none: '.none',
      size: { selector: '.size', fields: { eu: 'b' } },
      detail: { selector: 'ul', fields: { first: { selector: 'li', fields: { text: ':scope' } } } },
    };
    const result = await host.render({
      url: site.url('/list'),
      extract: { title: 'h1', products: { selector: '.product', all: true, fields } },
    });
    expect(result.output).toMatchObject({ contentType: 'application/json', extension: 'json' });
    const shop = (path: string) => site.url(path);
    const common = { none: null, size: null };
    expect(JSON.parse((await result.bytes()).toString())).toEqual({
      extract: {
        title: 'Shoes 2 of 2',
        products: [
          {
            ...{ ...common, id: 'R', name: 'Runner', price: 1299.5, link: shop('/shop/runner'), picture: shop('/i/Runner.png') },
            ...{ raw: '/i/Runner.png', tags: ['light', 'red'], detail: { first: { text: 'light' } } },
          },
          {
            ...{ ...common, id: 'W', name: 'Walker', price: null, link: shop('/shop/walker?a=1'), picture: shop('/i/Walker.png') },
            ...{ raw: '/i/Walker.png', tags: [], detail: { first: null } },
          },
        ],
      },
    });
  });

  it('reads HTML and Markdown, with absolute URLs in the Markdown, also under a policy that forbids scripts', async () => {
    const rules = { html: { selector: '#text p', type: 'html' }, markdown: { selector: '#text', type: 'markdown' } };
    for (const path of ['/list', '/csp']) {
      expect(await read(path, { extract: rules })).toEqual({
        extract: {
          html: 'A <b>bold</b> word and <a href="x">a link</a>.',
          markdown: `A **bold** word and [a link](${site.url('/shop/x')}).`,
        },
      });
    }
  });

  it('names a required value that is missing, in a match too', async () => {
    const render = (extract: object) => host.render({ url: site.url('/list'), extract });
    await expect(render({ price: { selector: '.none', required: true } })).rejects.toMatchObject({
      code: 'selector_not_found',
      message: '"extract.price" is required, but the page has no value for it',
    });
    const fields = { tags: { selector: 'li', all: true, required: true } };
    await expect(render({ products: { selector: '.product', all: true, fields } })).rejects.toThrow(
      '"extract.products.fields.tags" is required',
    );
  });

  it('names the place of a selector that is not valid', async () => {
    const rules = { products: { selector: '.none', fields: { bad: 'a:nope' } } };
    await expect(host.render({ url: site.url('/list'), extract: rules })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: '"extract.products.fields.bad" is not a valid CSS selector: a:nope',
      details: { errors: [{ parameter: 'extract' }] },
    });
  });

  it('is needed by output_type=json, or one of the keys beside it', async () => {
    await expect(host.render({ url: site.url('/list'), output_type: 'json', extract_links: false })).rejects.toThrow(
      '"output_type=json" needs at least one of: extract, extract_metadata, extract_links, extract_script',
    );
  });
});

it('extract_metadata reads what the head says', async () => {
  expect(await read('/head', { extract_metadata: true })).toEqual({
    metadata: {
      url: site.url('/head'),
      title: 'A title',
      description: 'About it',
      language: 'pt-BR',
      canonical: site.url('/canonical'),
      robots: 'noindex',
      author: 'Ada',
      open_graph: { title: 'OG', image: [site.url('/1.png'), site.url('/2.png')], ['__proto__']: 'x' },
      twitter: { card: 'summary' },
      json_ld: [{ '@type': 'Article', headline: 'H' }, { '@type': 'A' }, { '@type': 'B' }],
      icons: [
        { url: site.url('/favicon.ico'), rel: 'shortcut icon', type: null, sizes: null },
        { url: site.url('/touch.png'), rel: 'apple-touch-icon', type: null, sizes: '180x180' },
      ],
      feeds: [{ url: site.url('/rss'), type: 'application/rss+xml', title: 'News' }],
    },
  });
  const nothing = { title: null, description: null, language: null, canonical: null, robots: null, author: null };
  const metadata = { ...nothing, url: site.url('/empty'), open_graph: {}, twitter: {}, json_ld: [], icons: [], feeds: [] };
  expect(await read('/empty', { extract_metadata: true })).toEqual({ metadata });
});

it('extract_links reads links with their text and rel, each once', async () => {
  expect(await read('/head', { extract_links: true, output_type: 'json' })).toEqual({
    links: [
      { url: site.url('/a'), text: 'One two', rel: ['nofollow', 'noopener'] },
      { url: site.url('/b'), text: 'Picture', rel: [] },
      { url: site.url('/head#top'), text: 'Up', rel: [] },
    ],
  });
});

describe('extract_script', () => {
  it.each([
    ['1 + 1', 2],
    ['"text"', 'text'],
    ['null', null],
    ['{ title: document.title, n: [1, { a: 2 }] }', { title: 'Shoes', n: [1, { a: 2 }] }],
    ['new Promise((resolve) => setTimeout(() => resolve([1]), 5))', [1]],
    ['await Promise.resolve({ a: 1 })', { a: 1 }],
    ['const n = 2; [n]', [2]],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['[...document.querySelectorAll(".product")].map((one) => one.dataset.id)', ['R', 'W']],
  ])('%s is %j', async (extract_script, script) => {
    expect(await read('/list', { extract_script })).toEqual({ script });
  });

  it.each([
    ['undefined', '"extract_script" has no JSON value: its result is undefined'],
    ['0 / 0', '"extract_script" has no JSON value: its result is NaN'],
    ['document.body', '"extract_script" has no JSON value: its result is body'],
    ['() => 1', '"extract_script" has no JSON value: its result is () => 1'],
    ['Symbol("a")', '"extract_script" has no JSON value: its result is Symbol(a)'],
    ['1n', '"extract_script" has no JSON value: its result is 1n'],
    ['const a = {}; a.a = a; a', '"extract_script" failed: TypeError: Converting circular structure to JSON'],
    ['throw new RangeError("too far")', '"extract_script" failed: RangeError: too far'],
    ['Promise.reject("why")', '"extract_script" failed: "why"'],
    ['1 +', '"extract_script" failed: SyntaxError: Unexpected end of input'],
  ])('%s is a 422', async (extract_script, message) => {
    await expect(host.render({ url: site.url('/list'), extract_script })).rejects.toMatchObject({
      status: 422,
      code: 'script_failed',
      message,
    });
  });

  it('ends with the time of the render', async () => {
    const forever = { extract_script: 'new Promise(() => {})', timeout: 2 };
    await expect(host.render({ url: site.url('/list'), ...forever })).rejects.toMatchObject({
      code: 'render_timeout',
      details: { unmet: '"extract_script" to end' },
    });
  });
});

it('combines all members', async () => {
  const all = await read('/list', { extract: { a: 'h2' }, extract_metadata: true, extract_links: true, extract_script: '1' });
  expect(Object.keys(all)).toEqual(['extract', 'metadata', 'links', 'script']);
});
