import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import dom from '../../../plugins/capture/dom/src/index.js';
import html from '../../../plugins/output/html/src/index.js';
import txt from '../../../plugins/output/txt/src/index.js';
import emulate from '../../../plugins/page/emulate/src/index.js';
import target from '../../../plugins/page/target/src/index.js';
import wait from '../../../plugins/page/wait/src/index.js';
import { openSite, type Site } from '../../helpers/site.js';

let host: TestKernel;
let site: Site;
/** The page that the site answers with; the same page, rendered again, is what `again` asks for. */
let served: string | Buffer = '';
let type = 'text/html; charset=utf-8';
beforeAll(async () => {
  host = createTestKernel({ plugins: [dom, html, txt, target, emulate, wait] });
  site = await openSite({
    '/': () => ({ headers: { 'content-type': type }, body: served }),
    '/style.css': { headers: { 'content-type': 'text/css' }, body: 'p{}' },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Asked extends Readonly<Record<string, unknown>> {
  readonly contentType?: string;
  readonly output?: string;
}

async function render(body: string | Buffer, asked: Asked = {}): Promise<string> {
  const { contentType = 'text/html; charset=utf-8', output = 'html', ...params } = asked;
  served = body;
  type = contentType;
  const result = await host.render({ url: site.url('/'), output_type: output, ...params });
  return (await result.bytes()).toString();
}

/** A document around a body, as it comes out. */
const around = (body: string, head = '') => `<!DOCTYPE html><html><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;

it('is HTML in UTF-8, and says so', async () => {
  served = '<!doctype html>';
  const { output } = await host.render({ url: site.url('/'), output_type: 'html' });
  expect(output).toMatchObject({ contentType: 'text/html; charset=utf-8', extension: 'html' });
});

describe('html is the rendered DOM', () => {
  it('with what script has made of it', async () => {
    const script = '<script>document.body.append("made")</script>';
    expect(await render(`<!doctype html><body>${script}`)).toBe(around('made'));
  });

  it('without what would run again: scripts and handlers, but with blocks of data', async () => {
    const kept =
      '<script type="application/ld+json">{"a":1}</script><script type="math/tex">x</script><script type="text/x-template"><p></p></script><p once="1">x</p>';
    const gone =
      '<script type="module">1</script><script type="text/javascript; charset=utf-8"></script><script language="JavaScript">1</script><script type="importmap">{}</script><script async src="/gone.js"></script><svg><script>1</script></svg>';
    const shadow = (script: string) => `<div><template shadowrootmode="open">${script}<b>b</b></template></div>`;
    const body = `${kept}${gone}<template><script>1</script><i onclick="1">t</i></template>${shadow('<script>1</script>')}<form onsubmit="1"><input name="getAttributeNames"></form>`;
    const left = `${kept}<svg></svg><template><i>t</i></template>${shadow('')}<form><input name="getAttributeNames"></form>`;
    expect(await render(`<!doctype html><body onload="1">${body}`)).toBe(around(left));
  });

  it('without addresses that are scripts: a link stays a link, and leads nowhere', async () => {
    const body =
      '<a href="javascript:void(0)">a</a><a href=" java\nscript:1">b</a><a href="/javascript:1">c</a><svg><a xlink:href="JavaScript:1"></a></svg><form action="javascript:1"><button formaction="javascript:1">d</button></form><object data="javascript:1"></object>';
    const left =
      '<a href="#">a</a><a href="#">b</a><a href="/javascript:1">c</a><svg><a xlink:href="#"></a></svg><form><button>d</button></form><object></object>';
    expect(await render(`<!doctype html><body>${body}`)).toBe(around(left));
  });

  it('with what frames hold that no address gives, inert too', async () => {
    const script = `<script>const written = document.querySelectorAll('iframe')[1].contentDocument; written.write('<!doctype html><p onclick="1">w</p><iframe srcdoc="n"></iframe>'); written.close()</script>`;
    const frames = `<iframe src="javascript:'<b>made</b>'"></iframe><iframe></iframe><iframe srcdoc="s<script>document.body.append(1)</script>"></iframe><iframe src="about:blank"></iframe><iframe src="/style.css"></iframe>`;
    const doc = (body: string, doctype = '') =>
      `srcdoc="${doctype}&lt;html&gt;&lt;head&gt;&lt;/head&gt;&lt;body&gt;${body}&lt;/body&gt;&lt;/html&gt;"`;
    const inner = doc('n').replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    const written = doc(`&lt;p&gt;w&lt;/p&gt;&lt;iframe ${inner}&gt;&lt;/iframe&gt;`, '&lt;!DOCTYPE html&gt;');
    expect(await render(`<!doctype html><body>${frames}${script}`)).toBe(
      around(
        `<iframe ${doc('&lt;b&gt;made&lt;/b&gt;')}></iframe><iframe ${written}></iframe><iframe ${doc('s1')}></iframe><iframe src="about:blank"></iframe><iframe src="/style.css"></iframe>`,
      ),
    );
  });

  it.each([
    '<!DOCTYPE html>',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN">',
    '<!DOCTYPE html SYSTEM "about:legacy-compat">',
    '',
  ])('with its doctype %j', async (doctype) => {
    expect(await render(`${doctype}<p>x`)).toBe(around('<p>x</p>').replace('<!DOCTYPE html>', doctype));
  });

  it.each([
    ['<meta charset="windows-1252">', '<meta charset="utf-8">'],
    [
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
      '<meta http-equiv="Content-Type" content="text/html; charset=utf-8">',
    ],
    ['<title>x</title><meta charset="UTF-8">', '<title>x</title><meta charset="UTF-8">'],
    ['<title>x</title>', '<meta charset="utf-8"><title>x</title>'],
  ])('with the charset that is sent, where the page says %s', async (head, expected) => {
    expect(await render(`<!doctype html><head>${head}</head><body>`)).toBe(
      `<!DOCTYPE html><html><head>${expected}</head><body></body></html>`,
    );
  });

  it('decoded from the charset in which it came', async () => {
    const latin = Buffer.from('<!doctype html><p>caf\xe9', 'latin1');
    expect(await render(latin, { contentType: 'text/html; charset=iso-8859-1' })).toBe(around('<p>café</p>'));
  });

  it('with open shadow roots as declarative templates, nested ones too', async () => {
    const inner = '<div><template shadowrootmode="open">inner</template></div>';
    const body = `<div><template shadowrootmode="open" shadowrootdelegatesfocus="" shadowrootserializable="" shadowrootclonable=""><p>x <slot></slot></p></template>light</div>`;
    expect(await render(`<!doctype html><body>${body}`)).toBe(around(body));
    expect(await render(`<!doctype html><body><div><template shadowrootmode="open"><section>${inner}</section></template></div>`)).toBe(
      around(`<div><template shadowrootmode="open"><section>${inner}</section></template></div>`),
    );
  });

  it('with style sheets that exist in script alone', async () => {
    const script = `<script>const s = new CSSStyleSheet(); s.replaceSync('p { color: red; content: "</style>"; }');
      document.adoptedStyleSheets = [s]; document.querySelector('style').sheet.insertRule('b { color: blue; }');
      document.querySelector('div').shadowRoot.adoptedStyleSheets = [s];</script>`;
    const out = await render(
      `<!doctype html><head><style></style></head><body><div><template shadowrootmode="open">x</template></div>${script}`,
    );
    const adopted = '<style>p { color: red; content: "<\\/style>"; }</style>';
    expect(out).toContain(`<style>b { color: blue; }</style>${adopted}</head>`);
    expect(out).toContain(`<template shadowrootmode="open">x${adopted}</template>`);
  });

  it('with style sheets as they were written where script has left them alone', async () => {
    const style = '<style>@import "/style.css"; p{color:red}/* note */</style>';
    expect(await render(`<!doctype html>${style}<body>`)).toBe(around('', style));
  });

  it('with noscript, templates, comments, drawings and formulas as they were', async () => {
    const body =
      '<noscript><p>a &amp; b</p></noscript><template><i>t</i></template><!-- c --><svg viewBox="0 0 1 1"><a xlink:href="#x"></a></svg><math><mi>x</mi></math>';
    expect(await render(`<!doctype html><body>${body}`)).toBe(around(body));
  });

  it('with relative addresses as they are', async () => {
    expect(await render('<!doctype html><body><a href="x/../y?a&amp;b">z</a>')).toBe(around('<a href="x/../y?a&amp;b">z</a>'));
  });

  it('with what was typed and chosen, but no password', async () => {
    const body =
      '<input id="a" value="old"><input id="b" type="checkbox" checked><input id="c" type="password"><select><option selected>1<option id="d">2</select><textarea id="e">old</textarea><select><option>1<option>2</select>';
    const script = `<script>a.value = '"new"'; b.checked = false; c.value = 'secret'; d.selected = true; e.value = '\\n<new>'; document.currentScript.remove();</script>`;
    expect(await render(`<!doctype html><body>${body}${script}`)).toBe(
      around(
        '<input id="a" value="&quot;new&quot;"><input id="b" type="checkbox"><input id="c" type="password"><select><option>1</option><option id="d" selected="">2</option></select><textarea id="e">\n\n&lt;new&gt;</textarea><select><option>1</option><option>2</option></select>',
      ),
    );
  });

  it('with the line break that a listing begins with', async () => {
    expect(await render('<!doctype html><body><pre>\n\nx</pre>')).toBe(around('<pre>\n\nx</pre>'));
  });

  it('without anything of ours, whatever else was asked for', async () => {
    const asked = { emulate_dark_mode: true, wait_for: 'css:p', browser_width: 600 };
    expect(await render('<!doctype html><body><p>x</p>', asked)).toBe(around('<p>x</p>'));
  });

  it('whatever a page has made of its own world, and named its fields', async () => {
    const script = `<script>Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'no' }); Array.prototype.join = () => 'no'; Reflect.get = () => 'no';</script>`;
    const form =
      '<form><input name="parentNode"><input name="localName"><input name="attributes"><pre>\n\nx</pre></form><img name="head"><img name="querySelectorAll">';
    expect(await render(`<!doctype html><body>${form}${script}`)).toBe(around(form));
  });

  it('whole, however large, with no character torn apart', async () => {
    const script = `<script>document.body.innerHTML = '<div hidden>' + '😀x'.repeat(1e6) + '</div>'</script>`;
    expect((await render(`<!doctype html><body>${script}`)) === around(`<div hidden="">${'😀x'.repeat(1e6)}</div>`)).toBe(true);
  });

  it('of texts in every script, unharmed', async () => {
    const text = 'שלום עולם · مرحبا بالعالم · 你好，世界 · สวัสดีชาวโลก · 👩‍👩‍👧‍👦🏳️‍🌈 · é ñ̃ क्षि';
    expect(await render(`<!doctype html><body><p>${text}</p>`)).toBe(around(`<p>${text}</p>`));
  });
});

describe('documents other than HTML', () => {
  it.each([
    [
      'application/xhtml+xml',
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>x<br/></p><div/></body></html>',
      '<p>x<br></p><div></div>',
    ],
    [
      'image/svg+xml',
      '<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>',
      '<!DOCTYPE html><meta charset="utf-8"><svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>',
    ],
    ['text/plain', 'a < b', 'a &lt; b'],
  ])('%s comes as HTML', async (contentType, body, expected) => {
    expect(await render(body, { contentType })).toContain(expected);
  });
});

describe('served and rendered again, it reads the same', () => {
  it.each([
    ['a document', '<h1>a</h1><p>b<br>c<ul><li>d</ul><table><tr><td>e</table><pre>\n\n f\n  g</pre>'],
    ['shadow trees', '<div><template shadowrootmode=open><p>a</p><slot name=s></slot><slot></slot></template><i slot=s>b</i>c</div>'],
    [
      'style made by script',
      `<p>a</p><b>b</b><style></style><script>document.querySelector('style').sheet.insertRule('b { display: none }')</script>`,
    ],
    [
      'adopted style',
      `<p>a</p><b>b</b><script>const s = new CSSStyleSheet(); s.replaceSync('b { display: none }'); document.adoptedStyleSheets = [s]</script>`,
    ],
    [
      'form state',
      `<textarea>a</textarea><select><option>b<option>c</select><script>document.querySelector('textarea').value = 'd'; document.querySelector('select').selectedIndex = 1</script>`,
    ],
    ['a script that writes', '<p>a</p><script>document.write("<p>written</p>")</script>'],
    [
      'a script that appends, in a module too',
      '<p>a</p><script>document.body.append("b")</script><script type=module>document.body.append("c")</script>',
    ],
    ['handlers that append', '<body onload="document.body.append(1)"><p>a</p><img src=data:, onerror="document.body.append(2)">'],
    [
      'a script in a shadow tree',
      '<p>a</p><div><template shadowrootmode=open><b>b</b><script>document.body.append("c")</script></template></div>',
    ],
    [
      'frames that script has written, or is the address of',
      `<p>a</p><iframe src="javascript:'<b>b</b>'"></iframe><iframe></iframe><iframe srcdoc="<script>document.body.append('d')</script>"></iframe><script>const c = frames[1].document; c.write('<i>c</i>'); c.close()</script>`,
    ],
    ['addresses that are scripts', `<p>a</p><a href="javascript:document.body.append('b')">c</a>`],
    [
      'a script that takes away what it finds',
      '<noscript>no script</noscript><p>a</p><p>b</p><script>document.querySelector("p").remove()</script>',
    ],
  ])('%s', async (_what, body) => {
    const source = `<!doctype html><body>${body}`;
    const text = await render(source, { output: 'txt' });
    const once = await render(source);
    expect(await render(once, { output: 'txt' })).toBe(text);
    expect(await render(once)).toBe(once);
  });
});

const NESTED = (depth: number) => `<!doctype html><p>text</p><script>
  for (let at = document.body, left = ${String(depth)}; left > 0; left--) {
    const host = document.createElement('span');
    (at.shadowRoot ?? at).append(host);
    host.attachShadow({ mode: 'open' }).append('deep');
    at = host;
  }
</script>`;

describe('shadow trees within shadow trees', () => {
  it('are written', async () => {
    expect((await render(NESTED(100))).match(/deep/g)).toHaveLength(100);
  });

  it('are told where they are too many', async () => {
    await expect(render(NESTED(3000))).rejects.toMatchObject({
      code: 'capture_too_large',
      message: expect.stringMatching(/nested too deeply/) as string,
    });
    expect(await render('<p>text')).toContain('text');
  });

  it('hold up no text', async () => {
    expect(await render(NESTED(1500), { output: 'txt' })).toMatch(/^text\s+deepdeep/);
  });
});
