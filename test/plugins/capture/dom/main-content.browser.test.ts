import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import dom from '../../../../plugins/capture/dom/src/index.js';
import html from '../../../../plugins/output/html/src/index.js';
import markdown from '../../../../plugins/output/markdown/src/index.js';
import txt from '../../../../plugins/output/txt/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';

const SENTENCE = 'The bridge was built in the year 1871, of stone, by people from the villages on both sides of the river. ';
const ARTICLE = `<nav><a href="/a">Home</a> <a href="/b">About</a></nav>
<main><article class="post"><h1>The old bridge</h1>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(4)}
<pre><code class="language-js">cross(bridge);</code></pre><p>${SENTENCE.repeat(2)}<a href="more">More</a> <img src="b.png" alt="Bridge"></p></article></main>
<aside class="sidebar"><a href="/c">Advertisement</a></aside><footer>Imprint</footer>`;
const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>The old bridge | Example</title></head><body>${body}</body></html>`;
/** With two documents' worth of text, so that it arrives in pieces. */
const LONG = page(`<nav>Menu</nav><article>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(4000)}<p>The end.</p></article>`);

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [dom, html, markdown, txt] });
  const policy = { 'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'" };
  site = await openSite({
    '/article': page(ARTICLE),
    '/strict': { headers: policy, body: page(ARTICLE) },
    '/clobbered': page(`${ARTICLE}<form name="cloneNode"></form><form name="title"></form><form name="documentElement"></form>`),
    '/empty': page(''),
    '/long': LONG,
    '/b.png': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>' },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function render(path: string, output_type: string, more: object = {}): Promise<string> {
  const { bytes, headers } = await host.render({ url: site.url(path), output_type, main_content: true, ...more });
  expect(headers).not.toHaveProperty('X-Main-Content');
  return (await bytes()).toString();
}

it.each(['/article', '/strict', '/clobbered'])('the article of %s is the whole output', async (path) => {
  const text = await render(path, 'txt');
  expect(text).toContain('The old bridge\n\nThe bridge was built');
  expect(text).not.toMatch(/Home|About|Advertisement|Imprint/);
  const written = await render(path, 'markdown');
  expect(written).toMatch(/^# The old bridge\n\nThe bridge/);
  expect(written.match(/The old bridge/g)).toHaveLength(1);
  expect(written).toContain('```js\ncross(bridge);\n```');
  expect(written).toContain(`[More](${site.url('/more')})`);
  expect(written).not.toMatch(/Home|Imprint/);
  const document = await render(path, 'html');
  expect(document).toMatch(
    /^<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>The old bridge \| Example<\/title><\/head><body><h1>/,
  );
  expect(document).not.toMatch(/Home|Imprint/);
});

it('its images are embedded', async () => {
  expect(await render('/article', 'markdown', { markdown_embed_content: true })).toContain('![Bridge](data:image/svg+xml;base64,');
});

it('a long article is whole', async () => {
  const text = await render('/long', 'txt');
  expect(text.match(/1871/g)).toHaveLength(16_000);
  expect(text).toMatch(/The end\.\n$/);
});

it('a page without an article is returned whole, and says so', async () => {
  for (const output_type of ['html', 'markdown', 'txt']) {
    const { headers, bytes } = await host.render({ url: site.url('/empty'), output_type, main_content: true });
    expect(headers).toMatchObject({ 'X-Main-Content': 'not-found' });
    expect((await bytes()).toString()).toMatch({ html: /<title>/, markdown: /^# The old bridge/, txt: /^$/ }[output_type] ?? /never/);
  }
});

it('the document stays as it is', async () => {
  const whole = (await (await host.render({ url: site.url('/article'), output_type: 'html' })).bytes()).toString();
  expect(whole).toContain('Imprint');
});

it('cannot be combined with markdown_selector', async () => {
  const both = { url: site.url('/article'), output_type: 'markdown', main_content: true, markdown_selector: 'article' };
  await expect(host.render(both)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('"main_content"') as string });
});
