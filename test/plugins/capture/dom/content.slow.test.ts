import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { document as page, openContentProbe, type ContentProbe } from './content-probe.js';

let probe: ContentProbe;
beforeAll(() => {
  probe = openContentProbe();
});
afterAll(() => probe[Symbol.asyncDispose]());

const read = async (body: string, head?: string) => (await probe.capture(page(body, head))).html.trim();

describe('the content drops what a person cannot see', () => {
  it.each([
    ['display: none', '<p style="display:none">x</p>'],
    ['hidden', '<p hidden>x</p>'],
    ['hidden=until-found', '<p hidden=until-found>x</p>'],
    ['visibility: hidden', '<p style="visibility:hidden">x</p>'],
    ['content-visibility: hidden', '<p style="content-visibility:hidden">x</p>'],
    ['a closed dialog', '<dialog>x</dialog>'],
    ['script, style, template and noscript', '<script>1</script><style>a{}</style><template>x</template><noscript>x</noscript>'],
    ['fallbacks of media', '<video>x</video><audio>x</audio><canvas>x</canvas>'],
    ['passwords', '<input type=password value=secret>'],
    ['dots that count visitors', '<img alt=x src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">'],
    ['unassigned children of a shadow host', '<div><template shadowrootmode=open></template><p>x</p></div>'],
    ['what is transparent', '<p style="opacity:0">x</p><div style="opacity:0"><p style="opacity:1">x</p><img src="data:," alt=x></div>'],
    [
      'a drawer that is shut',
      '<div style="height:0;overflow:hidden"><p>x</p></div><div style="max-height:0;overflow:hidden"><p>x</p></div>',
    ],
    ['what is off the screen', '<p style="position:absolute;left:-9999px">x</p><a href="#x" style="position:absolute;top:-99px">x</a>'],
    [
      'a menu beside the window',
      '<nav style="position:fixed;left:0;transform:translateX(-100%)">x</nav><nav style="position:fixed;left:100%">x</nav>',
    ],
    ['what is for screen readers only, by a clip', '<p style="position:absolute;clip:rect(0,0,0,0)">x</p>'],
    ['by a clipping path', '<p style="position:absolute;clip-path:inset(50%)">x</p>'],
    ['by a size of one pixel', '<p style="position:absolute;width:1px;height:1px;overflow:hidden">x</p>'],
    ['text without a size', '<p style="font-size:0">x</p>'],
    ['text that an image replaces', '<h1 style="text-indent:-9999px">x</h1>'],
    ['what is scaled to nothing', '<p style="position:relative;transform:scale(0)">x</p>'],
    ['titles of drawings', '<svg><title>x</title><defs><text>x</text></defs></svg>'],
  ])('%s', async (_what, body) => {
    expect(await read(`<p>seen</p>${body}`)).toBe('<p>seen</p>');
  });

  it('keeps visible descendants of what is not', async () => {
    expect(await read('<div style="visibility:hidden">no <b style="visibility:visible">yes</b></div>')).toBe('<div><b>yes</b></div>');
  });

  it.each([
    ['hidden from assistive technology', '<p aria-hidden=true>a</p>', '<p>a</p>'],
    ['below or beside the window, where one can scroll', '<p style="position:absolute;left:9999px;top:9999px">a</p>', '<p>a</p>'],
    ['nearly transparent', '<p style="opacity:.01">a</p>', '<p>a</p>'],
    ['cut off, but not shut', '<p style="height:5px;width:5px;overflow:hidden">a</p>', '<p>a</p>'],
    ['in a holder without a size', '<div style="position:absolute;width:0;height:0;left:0;top:0"><p>a</p></div>', '<div><p>a</p></div>'],
    [
      'of a size of its own in a text without one',
      '<p style="font-size:0">x<b style="font-size:9px">a</b> <b style="font-size:9px">b</b></p>',
      '<p><b>a</b> <b>b</b></p>',
    ],
    [
      'to the left where the page runs to the left',
      '<style>html{direction:rtl}</style><p style="position:absolute;left:-500px">a</p>',
      '<p>a</p>',
    ],
    [
      'a box that style paints',
      '<label><input type=checkbox checked style="position:absolute;opacity:0">a</label>',
      '<input type="checkbox" checked=""> a',
    ],
    [
      'about to fade in where it is scrolled to',
      '<div style="height:9000px"></div><p style="opacity:0;transition:opacity 1s">a</p>',
      '<p>a</p>',
    ],
    [
      'a formula beside its picture',
      '<span style="position:absolute;clip:rect(1px,1px,1px,1px);opacity:0"><math><mi>x</mi></math></span>',
      '<math data-linear="x"><mi>x</mi></math>',
    ],
  ])('keeps what is %s', async (_what, body, html) => {
    expect((await read(body)).replaceAll(/^<div><\/div>/g, '')).toBe(html);
  });

  it('of closed details keeps the summary', async () => {
    expect(await read('<details><summary>s</summary>x</details><details open><summary>s</summary>y</details>')).toBe(
      '<details><summary>s</summary></details><details open=""><summary>s</summary>y</details>',
    );
  });
});

describe('the content keeps what elements mean', () => {
  it.each([
    [
      '<h2>a</h2><ul><li>b<ol start=3 reversed><li value=7>c</ol></ul>',
      '<h2>a</h2><ul><li>b<ol start="3" reversed=""><li value="7">c</li></ol></li></ul>',
    ],
    ['<p>a <b>b</b> <i class=x style="color:red" onclick="1">c</i><br>d</p>', '<p>a <b>b</b> <i>c</i><br>d</p>'],
    ['<p lang=de dir=ltr>a <time datetime=2020>b</time></p>', '<p lang="de" dir="ltr">a <time datetime="2020">b</time></p>'],
    ['<pre class="x language-js"><code>a  b\n  c</code></pre>', '<pre class="language-js"><code>a  b\n  c</code></pre>'],
    ['<pre>\n\n two</pre>', '<pre>\n\n two</pre>'],
    ['<dl><dt>t<dd>d</dl><hr><blockquote cite=x>q</blockquote>', '<dl><dt>t</dt><dd>d</dd></dl><hr><blockquote cite="x">q</blockquote>'],
    ['<div role=heading aria-level=3>h</div>', '<h3>h</h3>'],
    ['<math><mi>x</mi></math>', '<math data-linear="x"><mi>x</mi></math>'],
    ['<form><input type=checkbox checked> a</form>', '<div> <input type="checkbox" checked="">  a</div>'],
    ['<x-y>a</x-y> <font>b</font>', 'a b'],
    ['<p>&lt;b&gt; &amp; "q"</p>', '<p>&lt;b&gt; &amp; "q"</p>'],
  ])('%s', async (body, html) => {
    expect(await read(body)).toBe(html);
  });

  it('tables with spans, alignment and captions, without hidden rows', async () => {
    const body =
      '<table><caption>c</caption><tr><th style="text-align:right">a<td align=center rowspan=2>b<tr style="display:none"><td>x<tr><td colspan=2>d</table>';
    expect(await read(body)).toBe(
      '<table><caption>c</caption><tbody><tr><th align="right">a</th><td rowspan="2" align="center">b</td></tr><tr><td colspan="2">d</td></tr></tbody></table>',
    );
  });

  it('blocks that are blocks by style alone', async () => {
    const body = '<div style="display:flex"><a href="http://a.test/">a</a><span>b</span></div>x<span style="display:block">y</span>';
    expect(await read(body)).toBe('<div><div><a href="http://a.test/">a</a></div><div>b</div></div>x<div>y</div>');
  });

  it('a paragraph with a block in it as what no parser ends', async () => {
    expect(await read('<p>a<span style="display:block">b</span></p>')).toBe('<div>a<div>b</div></div>');
  });

  it('white space where style keeps it', async () => {
    expect(await read('<div style="white-space:pre-wrap">a  b\n c</div>')).toBe('<div>a\u00a0 b<br>\u00a0c</div>');
    expect(await read('<code style="display:block;white-space:pre">a\n b</code>')).toBe('<pre><code>a\n b</code></pre>');
    expect(await read('<pre><span style="display:block">a</span><span style="display:block">b</span></pre>')).toBe('<pre>a\nb</pre>');
  });

  it('controls by what is read in them', async () => {
    const body = '<input value=a><input placeholder=b><select><option>x<option selected>c</select><button>d</button><button>e</button>';
    expect((await read(body)).split(/\s+/)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('ids that links of the document lead to', async () => {
    expect(await read('<p id=n>a</p><p id=m>b</p><a href="#n">c</a>')).toMatch(/^<p id="n">a<\/p><p>b<\/p><a href="data:[^"]*#n">c<\/a>$/);
  });

  it('shadow trees with their slots', async () => {
    const body =
      '<div><template shadowrootmode=open><p>a <slot name=s>no</slot></p><slot name=t>fallback</slot></template>no<b slot=s>b</b></div>';
    expect(await read(body)).toBe('<div><p>a <b>b</b></p>fallback</div>');
  });

  it('texts of every script, unharmed', async () => {
    const text = 'שלום עולם · مرحبا بالعالم · 你好，世界 · สวัสดีชาวโลก · 👩‍👩‍👧‍👦🏳️‍🌈 · é ñ̃ क्षि';
    expect(await read(`<p>${text}</p>`)).toBe(`<p>${text}</p>`);
  });
});

it('is not fooled by what a page has made of its own world, nor by the names of its fields', async () => {
  const fields = ['parentNode', 'firstChild', 'nodeType', 'localName', 'attributes', 'getAttribute', 'shadowRoot'].map(
    (name) => `<input name=${name}>`,
  );
  const script = '<script>window.getComputedStyle=()=>({});Element.prototype.getAttribute=()=>"no";Array.prototype.push=()=>0;</script>';
  expect(await read(`<form>${fields.join('')}<p>seen</p></form><img name=body><p lang=fr>too</p>${script}`)).toMatch(
    /<p>seen<\/p><\/div><p lang="fr">too<\/p>$/,
  );
});

it('reads a tree that is deeper than most', async () => {
  const script =
    '<script>let at=document.body;for(let i=0;i<1500;i++)at=at.appendChild(document.createElement("div"));at.textContent="deep"</script>';
  expect(await read(script)).toContain('deep');
});

describe('on a site', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
    'base64',
  );
  const png = { headers: { 'content-type': 'image/png' }, body: PNG };
  let site: Site;
  beforeAll(async () => {
    site = await openSite({
      '/links':
        '<base href="/base/"><a href="x?a=1&amp;b">a</a> <a href="javascript:1">b</a> <a>c</a><img src="../a.png" alt="d" srcset="../b.png 1x">',
      '/lazy':
        '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E" data-src="/a.png" alt=a><img data-srcset="/s.png 1x, /b.png 2x">',
      '/images': '<img src="/a.png"><img src="/a.png"><img src="/gone.png"><img src="/page.png">',
      '/blob': `<img id=i><script>fetch('/a.png').then((r) => r.blob()).then((b) => { i.src = URL.createObjectURL(b); i.decode().then(() => document.title = 'done'); });
        document.write('<img src="/slow.png">');</script>`,
      '/frames': (request) =>
        `<p>top</p><iframe src="/same"></iframe><iframe src="http://localhost:${new URL(`http://${request.headers.host ?? ''}`).port}/other"></iframe><iframe srcdoc="<p>srcdoc</p>"></iframe><iframe sandbox src="/boxed"></iframe><iframe hidden src="/same"></iframe>`,
      '/same': '<p>same <img src="/a.png" alt=i></p>',
      '/boxed': '<p>boxed</p>',
      '/other': (request) =>
        `<p>other</p><iframe src="http://127.0.0.1:${new URL(`http://${request.headers.host ?? ''}`).port}/same"></iframe>`,
      '/list': '<ul><li>a<ul><li>b</ul><li hidden>c</ul><table><tr><td class=k>d</table>',
      '/a.png': png,
      '/b.png': png,
      '/s.png': png,
      '/slow.png': png,
      '/page.png': 'a page',
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('makes addresses absolute, against the base, and takes the image that is shown', async () => {
    const { html, url, lang, title } = await probe.capture(site.url('/links'));
    expect(html.trim()).toBe(`<a href="${site.url('/base/x?a=1&amp;b')}">a</a> b c<img src="${site.url('/b.png')}" alt="d">`);
    expect({ url, lang, title }).toEqual({ url: site.url('/links'), lang: '', title: '' });
  });

  it('takes the image that a placeholder stands for', async () => {
    const { html } = await probe.capture(site.url('/lazy'));
    expect(html.trim()).toBe(`<img src="${site.url('/a.png')}" alt="a"><img src="${site.url('/b.png')}" alt="">`);
  });

  it('puts the content of frames in their places, of whichever site they are', async () => {
    const { html } = await probe.capture(site.url('/frames'));
    const same = `<div><p>same <img src="${site.url('/a.png')}" alt="i"></p></div>`;
    const other = `<div><p>other</p><div><p>same <img src="${site.url('/a.png')}" alt="i"></p></div></div>`;
    expect(html.trim().replaceAll('\n', '')).toBe(`<p>top</p>${same}${other}<div><p>srcdoc</p></div><div><p>boxed</p></div>`);
  });

  it('gives the bytes of images where they are asked for, from what the page has loaded', async () => {
    const { images } = await probe.capture(site.url('/images'), { images: { maxBytesEach: 1000, maxBytesTotal: 1000 } });
    expect(images).toEqual([[site.url('/a.png'), 'image/png', PNG.toString('base64')]]);
    expect(site.requests.filter(({ url }) => url === '/a.png').length).toBeGreaterThan(0);
    expect((await probe.capture(site.url('/images'))).images).toEqual([]);
  });

  it('fetches by the page what it has not loaded', async () => {
    const { images } = await probe.capture(site.url('/lazy'), { images: { maxBytesEach: 1000, maxBytesTotal: 1000 } });
    expect(images.map(([url, type]) => [url, type])).toEqual([
      [site.url('/a.png'), 'image/png'],
      [site.url('/b.png'), 'image/png'],
    ]);
    expect(site.requests.find(({ url }) => url === '/a.png')?.headers['user-agent']).toContain('Chrome');
  });

  it('reads images that exist only in the page', async () => {
    const { images } = await probe.capture(site.url('/blob'), { images: { maxBytesEach: 1000, maxBytesTotal: 1000 } });
    const blobs = images.filter(([url]) => url.startsWith('blob:'));
    expect(blobs.map(([, type, base64]) => [type, base64])).toEqual([['image/png', PNG.toString('base64')]]);
  });

  it.each([
    [{ maxBytesEach: PNG.length - 1, maxBytesTotal: 1000 }, 0],
    [{ maxBytesEach: 1000, maxBytesTotal: PNG.length - 1 }, 0],
    [{ maxBytesEach: 1000, maxBytesTotal: PNG.length }, 1],
  ])('leaves out images past the bounds %j', async (images, count) => {
    expect((await probe.capture(site.url('/lazy'), { images })).images.length).toBe(count);
  });

  it('of a selector takes all matches in document order, none twice', async () => {
    const capture = (css: string) => probe.capture(site.url('/list'), { selector: { css, parameter: 'some_key' } });
    expect(await capture('td, li')).toMatchObject({
      matches: 4,
      html: '<li>a<ul><li>b</li></ul></li>\n\n<table><tr><td>d</td></tr></table>',
    });
    expect(await capture('ul ul')).toMatchObject({ matches: 1, html: '<ul><li>b</li></ul>' });
  });

  it('refuses a selector whose matches hold nothing to read', async () => {
    const capture = (css: string) => probe.capture(site.url('/list'), { selector: { css, parameter: 'some_key' } });
    await expect(capture('li[hidden]')).rejects.toMatchObject({
      code: 'selector_empty',
      status: 422,
      message: '"some_key" matched no readable content: li[hidden]',
    });
  });

  it('refuses a selector that matches nothing, or is none, and names the parameter', async () => {
    const capture = (css: string) => probe.capture(site.url('/list'), { selector: { css, parameter: 'some_key' } });
    await expect(capture('.none')).rejects.toMatchObject({
      code: 'selector_not_found',
      status: 422,
      message: '"some_key" matched nothing: .none',
    });
    await expect(capture('p[')).rejects.toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      message: expect.stringContaining('some_key') as unknown,
    });
  });
});
