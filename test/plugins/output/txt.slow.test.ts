import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import dom from '../../../plugins/capture/dom/src/index.js';
import { formatText } from '../../../plugins/output/txt/src/format-text.js';
import txt from '../../../plugins/output/txt/src/index.js';
import { until } from '../../helpers/until.js';

const DOT = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR42mP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';

type Case = readonly [rule: string, html: string, text: string];

const TEXTS: readonly Case[] = [
  ['paragraphs have an empty line between them', '<p>a  b\n c</p><p>d</p>', 'a b c\n\nd\n'],
  ['divisions begin lines', '<div>a</div><div>b<div>c</div></div>d', 'a\nb\nc\nd\n'],
  ['headings are lines', 'x<h1>a</h1><h2>b</h2>y', 'x\n\na\n\nb\n\ny\n'],
  ['line breaks break lines', '<p>a<br>b<br><br>c<br></p><p>d</p>', 'a\nb\n\nc\n\nd\n'],
  ['words stay together, and apart', '<p>a<b>b</b> <i> c</i>d</p>', 'ab cd\n'],
  ['lists have markers', '<ul><li>a<li>b</ul><ol><li>c<li>d</ol>', '- a\n- b\n\n1. c\n2. d\n'],
  ['lists in lists are indented', '<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>', '- a\n  1. b\n     - c\n- d\n'],
  ['paragraphs of items stay below each other', '<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', '- a\n\n  b\n- c\n'],
  ['numbers begin and run as they are told', '<ol start=9 reversed><li>a<li>b<li value=3>c</ol>', '9. a\n8. b\n3. c\n'],
  ['numbers stand under each other', '<ol start=9><li>a<li>b</ol>', ' 9. a\n10. b\n'],
  ['numbers may be letters or roman', '<ol type=a start=26><li>a<li>b</ol><ol type=I start=4><li>c</ol>', ' z. a\naa. b\n\nIV. c\n'],
  ['items without text keep their place', '<ol><li><li>b</ol>', '1.\n2. b\n'],
  ['listings are verbatim', '<p>a</p><pre>\n  x   y\n\n\tz\n</pre><p>b</p>', 'a\n\n  x   y\n\n\tz\n\nb\n'],
  ['quotations are marked', '<blockquote><p>a</p><blockquote>b</blockquote></blockquote>', '> a\n>\n> > b\n'],
  ['definitions are indented', '<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>', 'a\n    b\n    c\nd\n    e\n'],
  ['rules are dashes', 'a<hr>b', `a\n\n${'-'.repeat(20)}\n\nb\n`],
  ['links are their text', '<p><a href="http://x.test/">a</a>, b</p>', 'a, b\n'],
  ['images are their text in brackets', `<p>a <img src="${DOT}" alt="b c"> <img src="${DOT}" alt=""></p>`, 'a [b c]\n'],
  ['boxes are ticked or not', '<p><input type=checkbox checked> a <input type=radio> b</p>', '[x] a ( ) b\n'],
  ['readings follow what they are of', '<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字</p>', '漢(かん)字\n'],
  ['no-break spaces are spaces, soft hyphens nothing', '<p>a&nbsp;&nbsp;b&shy;c&nbsp;</p>', 'a  bc\n'],
  ['formulas are read once', '<math><semantics><mi>x</mi><annotation>x_1</annotation></semantics></math>', 'x\n'],
  ['formulas are read as one line', '<math data-linear="1/2"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>', '1/2\n'],
  ['nothing is nothing', '<p> </p><ul></ul><table></table>', ''],
];

const TABLES: readonly Case[] = [
  ['columns stand under each other', '<table><tr><td>a<td>b<tr><td>long<td>c</table>', 'a     b\nlong  c\n'],
  ['headers where the page has them', '<table><tr><th align=left>a<th align=right>b<tr><td>long<td>c</table>', 'a     b\nlong  c\n'],
  ['by their alignment', '<table><tr><td>abc<td align=right>1<tr><td align=center>d<td align=right>100</table>', 'abc    1\n d   100\n'],
  ['wide characters count twice', '<table><tr><td>漢字<td>a<tr><td>abcde<td>b</table>', '漢字   a\nabcde  b\n'],
  ['cells that span columns', '<table><tr><td colspan=2>a wide cell<td>b<tr><td>c<td>d<td>e</table>', 'a wide cell  b\nc  d         e\n'],
  ['cells that span rows', '<table><tr><td rowspan=2>a<td>b<tr><td>c</table>', 'a  b\n   c\n'],
  ['cells of several lines', '<table><tr><td>a<br>b<td>c<tr><td>d<td>e</table>', 'a  c\nb\nd  e\n'],
  ['the caption before, the foot last', '<table><caption>t</caption><tfoot><tr><td>f</tfoot><tbody><tr><td>b</tbody></table>', 't\nb\nf\n'],
  ['tables in tables', '<table><tr><td>a<td><table><tr><td>b<td>c<tr><td>d<td>e</table></table>', 'a  b  c\n   d  e\n'],
  [
    'cells that span what is left of their group',
    '<table><tbody><tr><td rowspan=0>a</td><td>b</td></tr><tr><td>c</td></tr></tbody><tbody><tr><td>d</td><td>e</td></tr></tbody></table>',
    'a  b\n   c\nd  e\n',
  ],
  [
    'no cell reaches out of its group',
    '<table><thead><tr><th align=left rowspan=2>a</th><th align=left>b</th></tr></thead><tr><td rowspan=9>c</td><td>d</td></tr><tfoot><tr><td>e</td><td>f</td></tr></tfoot></table>',
    'a  b\nc  d\ne  f\n',
  ],
  ['spans without measure', '<table><tr><td colspan=1000000 rowspan=0>a<td>b</table>', 'a  b\n'],
];

describe('text that a person would read', () => {
  it.each(TEXTS)('%s', (_rule, html, text) => {
    expect(formatText(html)).toBe(text);
  });

  it.each(TABLES)('of tables: %s', (_rule, html, text) => {
    expect(formatText(html)).toBe(text);
  });

  it('keeps the cells of a table together that is too wide for columns', () => {
    const words = 'word '.repeat(40).trim();
    expect(formatText(`<table><tr><td>${words}<td>b<tr><td>c<td>d</table>`)).toBe(`${words}  b\nc  d\n`);
  });

  it('ends no line with a blank, and the text with one line break', () => {
    const text = formatText('<p>a&nbsp; <br> b </p><table><tr><td>c<td> <tr><td>dd<td>e</table><pre>f  \n</pre>');
    expect(text).toMatch(/[^\n]\n$/);
    expect(text.split('\n').filter((line) => /\s$/.test(line))).toEqual([]);
  });

  it('leaves texts of every script unharmed', () => {
    const text = 'שלום עולם · مرحبا بالعالم · 你好，世界 · สวัสดีชาวโลก · 👩‍👩‍👧‍👦🏳️‍🌈 · é ñ̃ क्षि';
    expect(formatText(`<p dir=rtl>${text}</p>`)).toBe(`${text}\n`);
  });
});

describe('the output type txt', () => {
  let host: TestKernel;
  beforeAll(() => {
    host = createTestKernel({ plugins: [dom, txt] });
  });
  afterAll(() => host[Symbol.asyncDispose]());

  const render = async (body: string) => {
    const result = await host.render({ url: `data:text/html;charset=utf-8,${encodeURIComponent(body)}`, output_type: 'txt' });
    return { ...result.output, bytes: await result.bytes() };
  };

  it('is UTF-8 without a mark, and holds no hidden text', async () => {
    const { contentType, extension, bytes } = await render(
      '<title>no</title><h1>é</h1><p hidden>no<p>b<script>"no"</script><style>no{}</style>',
    );
    expect({ contentType, extension }).toEqual({ contentType: 'text/plain; charset=utf-8', extension: 'txt' });
    expect(bytes).toEqual(Buffer.from('é\n\nb\n'));
  });

  it.each([...TEXTS, ...TABLES])('reads of a page in the browser: %s', async (_rule, html, text) => {
    expect((await render(`<!doctype html><body>${html}`)).bytes.toString()).toBe(text);
  });

  it.each<Case>([
    ['capitals', '<ol type=A><li>x</ol>', 'A. x\n'],
    ['roman numerals', '<ol type=i start=4><li>x</ol>', 'iv. x\n'],
    ['what style asks for', '<ol style="list-style-type:lower-roman"><li>x<li>y</ol>', ' i. x\nii. y\n'],
    ['an item of its own way', '<ol type=a><li>x<li type=1>y<li>z</ol>', 'a. x\n2. y\nc. z\n'],
    ['numbers where nothing is shown', '<ol style="list-style:none"><li>x</ol>', '1. x\n'],
  ])('numbers lists as the browser does: %s', async (_rule, html, text) => {
    expect((await render(`<!doctype html><body>${html}`)).bytes.toString()).toBe(text);
  });

  const LARGE = '<body><script>document.body.innerHTML = "<p>some words</p>".repeat(20_000)</script>';

  it('reads a large document in a thread of its own', async () => {
    const started = once(process, 'worker');
    const { bytes } = await render(LARGE);
    await started;
    expect(bytes.toString() === `${Array.from({ length: 20_000 }, () => 'some words').join('\n\n')}\n`).toBe(true);
  });

  it('gives a large document up when nobody waits for it any more', async () => {
    // A host whose pool has no thread at rest: the event says that the reading has begun.
    await using fresh = createTestKernel({ plugins: [dom, txt] });
    const controller = new AbortController();
    const [worker] = await Promise.all([
      once(process, 'worker').then(([thread]: readonly Worker[]) => {
        controller.abort(new Error('the client left'));
        return thread;
      }),
      expect(
        fresh.render({ url: `data:text/html,${encodeURIComponent(LARGE)}`, output_type: 'txt' }, { signal: controller.signal }),
      ).rejects.toMatchObject({ code: 'client_closed' }),
    ]);
    await until(() => worker?.threadId === -1);
  });
});
