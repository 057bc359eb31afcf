import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();

const HEAD = `<style>
  .grid { display: grid } .row { display: flex } .line { display: block }
  .no { user-select: none } .count { counter-increment: n } .count::before { content: counter(n) }
  .gutter { position: absolute; left: 0 } .cells { display: table } .cells > span { display: table-row } .cells > span > span { display: table-cell }
</style>`;
const row = (number: string, code: string) => `<span class=row>${number}<span>${code}</span></span>`;
const no = (text: string) => `<span class=no>${text}</span>`;
const counted = '<span class=count></span>';

describe('the text of a listing', () => {
  it.each([
    [
      'no white space between lines that are grid items',
      '<code class=grid><span>a</span>\n<span> </span>\n<span>b</span></code>',
      'a\n \nb',
    ],
    ['nor between those of a column', '<code class=row style="flex-direction:column"><span>a</span>\n<span>b</span></code>', 'a\nb'],
    ['an empty line that a counter numbers', `<code class=grid><b class=count>a</b>\n${counted}\n<b class=count>b</b></code>`, 'a\n\nb'],
    ['a row as a line, without its number', row(no(' 9'), 'a\n') + row(no('10'), 'b'), 'a\nb'],
    ['a row without code as an empty line', row(no('1'), 'a') + row(no('2'), '') + row(no('3'), 'b'), 'a\n\nb'],
    ['a row of words', '<span class=row><span>a</span><span>.b</span></span><span class=row><span>c</span></span>', 'a.b\nc'],
    ['no number of a line in the flow', `${no('1 | ')}a\n${no('2 | ')}b`, 'a\nb'],
    ['nor of a counter', row(counted, 'a') + row(counted, 'b'), 'a\nb'],
    ['nor of a cell', `<span class=cells><span>${counted}<span>a</span></span><span>${counted}<span>b</span></span></span>`, 'a\nb'],
    ['no column of numbers', `<span class=row>${no('1\n2\n')}<span>a\nb</span></span>`, 'a\nb'],
    [
      'no column of counters',
      `<span class=row><span><i class="line count"></i><i class="line count"></i></span><span>a\nb</span></span>`,
      'a\nb',
    ],
    ['nor one over the listing', `a\nb<span class=gutter><i class="line count"></i><i class="line count"></i></span>`, 'a\nb'],
    ['numbers that can be selected', `${row('<span>1</span>', 'a')}${row('<span>2</span>', 'b')}`, '1 a\n2 b'],
    ['a prompt that cannot be selected', `${no('$ ')}a`, '$ a'],
    ['numbers in code that cannot be selected', `<code class=no>a = <i>1</i>\n<i>2</i></code>`, 'a = 1\n2'],
    ['a number that is all of it', no('42'), '42'],
    ['no line for a button', '<span class=line><button>copy</button></span><span class=line>a</span>', 'a'],
  ])('has %s', async (_what, code, text) => {
    const html = await read(`<pre>${code}</pre>`, HEAD);
    expect(html.replace(/^<pre>(\n(?=\n))?/, '').replaceAll(/<[^>]*>/g, '')).toBe(text);
  });
});

describe('a table of code lines', () => {
  const typed = 'font-family:monospace;white-space:pre';
  const table = (rows: readonly (readonly [string, string])[], code: (text: string) => string) =>
    `<table>${rows.map(([number, text]) => `<tr><td>${number}</td>${code(text)}</tr>`).join('\n')}</table>`;
  const LINES = [
    ['', ' a'],
    ['', ''],
    ['', '  b'],
  ] as const;
  const NUMBERED = [
    ['1', 'a'],
    ['2', 'b'],
  ] as const;
  const cell = (text: string) => `<td style="${typed}">${text}\n</td>`;

  it.each([
    ['by its cells', table(LINES, cell), ' a\n\n  b'],
    ['by elements in them', table(NUMBERED, (text) => `<td><code style="white-space:pre">${text}</code></td>`), 'a\nb'],
    [
      'with the sign of a change',
      table(
        [
          ['1', 'a'],
          ['2', 'b'],
        ],
        (text) => `<td>+</td>${cell(text)}`,
      ),
      '+a\n+b',
    ],
  ])('is a listing: %s', async (_what, html, text) => {
    const written = (await read(html)).replaceAll(/<(?!\/?pre)[^>]*>/g, '');
    expect(written.replace(/\n<\/pre>$/, '</pre>')).toBe(`<pre>${text}</pre>`);
  });

  it.each([
    ['<pre>1\n2</pre>', '<pre class="language-js">a\nb</pre>', '<pre><code class="language-js">a\nb</code></pre>'],
    [
      '<pre>1\n2\n</pre>',
      '<div><pre><code class="language-js">a\n\nb</code></pre></div>',
      '<pre><code><code class="language-js">a\n\nb</code></code></pre>',
    ],
  ])('is a listing with its language: %s', async (numbers, code, html) => {
    expect(await read(`<table><tr><td>${numbers}</td><td>${code}</td></tr></table>`)).toBe(html);
  });

  it.each([
    ['with headers', `<table><tr><th>n<th>code</tr><tr><td>1<td style="${typed}">a</table>`],
    ['without code', table(NUMBERED, (text) => `<td>${text}</td>`)],
    ['of longer listings', table(NUMBERED, (text) => `<td><pre>${text}\n${text}</pre></td>`)],
    ['of words and code', table([['one', 'a']], cell)],
    ['of layout', '<table><tr><td></td><td><h1>Title</h1><p>The page.</p><pre>make</pre></td></tr></table>'],
    ['of a number and prose', `<table><tr><td>1</td><td>Run <code style="${typed}">a</code> first</td></tr></table>`],
    ['with pictures', table([['<img src="data:," alt="x">', 'a']], cell)],
  ])('is a table %s', async (_what, html) => {
    expect(await read(html)).toMatch(/^<table>/);
  });
});
