import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { document as page, openContentProbe, type ContentProbe } from './content-probe.js';

let probe: ContentProbe;
beforeAll(() => {
  probe = openContentProbe();
});
afterAll(() => probe[Symbol.asyncDispose]());

const read = async (body: string, head?: string) => (await probe.capture(page(body, head))).html.trim();

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
    [
      '<details><summary>s</summary>x</details><details open><summary>s</summary>y</details>',
      '<details><summary>s</summary></details><details open=""><summary>s</summary>y</details>',
    ],
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

it('of the images in a box that clips them, those that are visible', async () => {
  const picture = 'data:image/svg+xml,<svg%20xmlns=%22http://www.w3.org/2000/svg%22%20width=%229%22%20height=%229%22/>';
  const image = (css: string) => `<img src='${picture}' alt=i width=9 height=9 style="position:absolute;${css}">`;
  const html = await read(`<div style="overflow:hidden">${image('left:9px')}${image('left:-99px')}</div>`);
  expect(html.match(/<img/g)).toHaveLength(1);
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
  const DOT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const SPACER = `<img aria-hidden=true alt="" src="data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')}">`;
  let site: Site;
  beforeAll(async () => {
    site = await openSite({
      '/links':
        '<base href="/base/"><a href="x?a=1&amp;b">a</a> <a href="javascript:1">b</a> <a>c</a><img src="../a.png" alt="d" srcset="../b.png 1x">',
      '/lazy':
        '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E" data-src="/a.png" alt=a><img data-srcset="/s.png 1x, /b.png 2x">',
      '/scriptless': `<p>${SPACER}<img alt="" src="${DOT}"><noscript><img alt="a &amp; b" loading=lazy src="a.png?x&amp;y"></noscript></p>
        <p><picture><source srcset="${DOT}"><img src="${DOT}" alt="c"></picture><noscript><img src="/b.png"></noscript></p>
        <p><img src="${DOT}"><noscript><img width="1" height="1" src="/pixel.png"></noscript><img src="/a.png" alt=""><noscript><img src="/b.png"></noscript></p>`,
      '/blocked': `<meta http-equiv="Content-Security-Policy" content="img-src data:; require-trusted-types-for 'script'"><img src="a.png" alt=a><img srcset="b.png 2x" alt=b><img loading=lazy srcset="s.png 1x" alt=s><img src="${DOT}"><noscript><img src=s.png></noscript>`,
      '/feed.xml': { headers: { 'content-type': 'application/xml' }, body: '<feed><title>Feed</title></feed>' },
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

  it('takes the image that is beside a placeholder for readers without script', async () => {
    const { html } = await probe.capture(site.url('/scriptless'));
    expect(html.match(/<img[^>]*>/g)).toEqual([
      `<img src="${site.url('/a.png?x&amp;y')}" alt="a &amp; b">`,
      `<img src="${site.url('/b.png')}" alt="c">`,
      `<img src="${site.url('/a.png')}" alt="">`,
    ]);
  });

  it('makes addresses of blocked images absolute', async () => {
    const { html } = await probe.capture(site.url('/blocked'));
    expect(html.match(/src="[^"]*"/g)).toEqual(['/a.png', '/b.png', '/s.png'].map((path) => `src="${site.url(path)}"`));
  });

  it('reads an XML file without the notice of the browser', async () => {
    const { html } = await probe.capture(site.url('/feed.xml'));
    expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe('&lt;feed&gt;&lt;title&gt;Feed&lt;/title&gt;&lt;/feed&gt;');
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

  it('of a selector for an open dialog, or a part of it, takes it out of the hidden box that it is in', async () => {
    const dialog = '<dialog id=d><p>a</p></dialog><script>d.showModal()</script>';
    const url = page(`<div style="opacity:0"><div style="transform:scale(0)">${dialog}</div></div>`);
    for (const css of ['#d', '#d p']) {
      const { html } = await probe.capture(url, { selector: { css, parameter: 'selector' } });
      expect(html.replaceAll(/<[^>]*>/g, '').trim()).toBe('a');
    }
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

describe('the content of frames', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({
      '/': (request) => {
        const other = `http://localhost:${new URL(`http://${request.headers.host ?? ''}`).port}/in`;
        return ['width=0 height=0', 'width=1 height=1', 'style="width:300px;height:0"', 'width=300']
          .map((size) => `<iframe src="${other}" ${size}></iframe>`)
          .join('');
      },
      '/set': '<frameset rows="0,*"><frame src="/in"><frame src="/in"></frameset>',
      '/in': '<p>in</p>',
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('of another site is read where the frame has a size', async () => {
    expect((await probe.capture(site.url('/'))).html).toBe('<div><p>in</p></div>');
  });

  it('so it is in a frame set', async () => {
    expect((await probe.capture(site.url('/set'))).html).toBe('<div><p>in</p></div>');
  });
});
