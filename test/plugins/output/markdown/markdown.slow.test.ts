import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { fromCommonMark } from '../../lib/markdown/parsers.js';
import { openMarkdownHost, type MarkdownHost } from './render.js';

const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR42mP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC', 'base64');

let site: Site;
let host: MarkdownHost;

beforeAll(async () => {
  site = await openSite({
    '/page':
      '<title>Title</title><h1>Head</h1><p class="x">one</p><div><p class="x">two <a href="more">more</a></p></div><img src="dot.png" alt="dot">',
    '/dot.png': { headers: { 'content-type': 'image/png' }, body: DOT },
    '/hidden':
      '<title>H</title><p>seen</p><p style="display:none">unseen</p><script>document.title="H"</script><style>p{color:red}</style><template>t</template>',
    '/long': `<title>Long</title>${'<p>word <b>bold</b> word</p>'.repeat(5_000)}`,
    '/images': `<title>I</title><img src="dot.png" alt="a"><img src="missing.png" alt="b" width="9" height="9">`,
  });
  host = openMarkdownHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('markdown_format', () => {
  it('is in the content type, common where nothing is said', async () => {
    const types = await Promise.all(
      [{}, { markdown_format: 'common' }, { markdown_format: 'gfm' }].map(async (params) => {
        const { output } = await host.kernel.render({ url: site.url('/page'), output_type: 'markdown', ...params });
        expect(output.extension).toBe('md');
        return output.contentType;
      }),
    );
    expect(types).toEqual([
      'text/markdown; charset=utf-8; variant=CommonMark',
      'text/markdown; charset=utf-8; variant=CommonMark',
      'text/markdown; charset=utf-8; variant=GFM',
    ]);
  });
});

it('addresses are absolute', async () => {
  const text = await host.render({ url: site.url('/page') });
  expect(text).toBe(`# Title\n\n# Head\n\none\n\ntwo [more](${site.url('/more')})\n\n![dot](${site.url('/dot.png')})\n`);
});

it('what a person does not see is not there', async () => {
  expect(await host.render({ url: site.url('/hidden') })).toBe('# H\n\nseen\n');
});

describe('markdown_no_title', () => {
  it("omits the title; the page's own headings stay", async () => {
    expect(await host.render({ url: site.url('/page'), markdown_no_title: true })).toMatch(/^# Head\n\none\n/);
  });
});

describe('markdown_selector', () => {
  it('takes all matches in document order', async () => {
    const text = await host.render({ url: site.url('/page'), markdown_selector: '.x', markdown_no_title: true });
    expect(text).toBe(`one\n\ntwo [more](${site.url('/more')})\n`);
  });

  it('that matches only what nobody can read is 422 selector_empty', async () => {
    const rendering = host.render({ url: site.url('/hidden'), markdown_selector: 'style, p[style]' });
    await expect(rendering).rejects.toMatchObject({ code: 'selector_empty', status: 422 });
  });

  it('that matches nothing is 422 selector_not_found', async () => {
    const rendering = host.render({ url: site.url('/page'), markdown_selector: '.none' });
    await expect(rendering).rejects.toMatchObject({ code: 'selector_not_found', status: 422 });
  });
});

describe('markdown_embed_content', () => {
  it('embeds images as data URIs, byte for byte', async () => {
    const text = await host.render({ url: site.url('/page'), markdown_embed_content: true });
    expect(text).toContain(`![dot](data:image/png;base64,${DOT.toString('base64')})`);
  });

  it('leaves the address of an image that cannot be had', async () => {
    const text = await host.render({ url: site.url('/images'), markdown_embed_content: true });
    expect(text).toContain('![a](data:image/png;base64,');
    expect(text).toContain(`![b](${site.url('/missing.png')})`);
  });
});

describe('by its role', () => {
  it.each([
    ['an element is a heading', '<div role="heading" aria-level="3">a</div>', '### a\n'],
    ['a table for its looks is its content', '<table role="presentation"><tr><td>a</td><td>b</td></tr></table>', 'a\n\nb\n'],
  ])('%s', async (_rule, html, markdown) => {
    expect(await host.render({ url: `data:text/html,<!doctype html>${encodeURIComponent(html)}` })).toBe(markdown);
  });
});

describe('a listing keeps its language, as it is named by', () => {
  const text = (html: string) => host.render({ url: `data:text/html,<!doctype html>${encodeURIComponent(html)}` });

  it.each([
    [
      'Pandoc',
      'python',
      '<div class="sourceCode"><pre class="sourceCode numberSource python"><code class="sourceCode python">a</code></pre></div>',
    ],
    ['Sphinx', 'ruby', '<div class="highlight-ruby notranslate"><div class="highlight"><pre><span></span>a</pre></div></div>'],
    ['an attribute', 'go', '<pre lang="go">a</pre>'],
    ['Hugo', 'toml', '<div class="highlight"><pre class="chroma"><code class="chroma" data-lang="toml">a</code></pre></div>'],
    ['SyntaxHighlighter', 'js', '<pre class="brush: js; toolbar: false">a</pre>'],
    ['highlight.js', 'python', '<pre><code class="hljs python">a</code></pre>'],
    ['its bare name', 'python', '<pre><code class="python">a</code></pre>'],
    ['data', 'java', '<pre data-language="java">a</pre>'],
    ['GitHub', 'js', '<div class="highlight highlight-source-js"><pre>a</pre></div>'],
    ['the HTML standard', 'c++', '<pre><code class="language-c++">a</code></pre>'],
    ['nobody', '', '<pre lang="de" class="wide"><code class="inline">a</code></pre>'],
    ['a code that is Czech first', '', '<pre lang="cs">a</pre>'],
  ])('%s', async (_who, language, html) => {
    expect(await text(html)).toBe(`\`\`\`${language}\na\n\`\`\`\n`);
  });
});

describe('a long document', () => {
  it('is converted whole, by a thread', async () => {
    const text = await host.render({ url: site.url('/long') });
    expect(text).toBe(`# Long\n\n${'word **bold** word\n\n'.repeat(5_000)}`.replace(/\n$/, ''));
    expect(fromCommonMark(text).match(/<strong>/g)).toHaveLength(5_000);
  });

  it('is given up with the render', async () => {
    const leaving = new AbortController();
    const rendering = host.kernel.kernel.render(
      host.kernel.kernel.plan(host.kernel.kernel.validate({ url: site.url('/long'), output_type: 'markdown' }, 'body')),
      { signal: leaving.signal },
    );
    leaving.abort();
    await expect(rendering).rejects.toMatchObject({ code: 'client_closed' });
  });
});
