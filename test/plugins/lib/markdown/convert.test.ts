import { describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';
import { BLOCK_RULES } from '../../../../plugins/lib/markdown/src/read/block-rules.js';
import { parseBody } from '../../../../plugins/lib/markdown/src/read/html.js';
import { INLINE_RULES } from '../../../../plugins/lib/markdown/src/read/inline-rules.js';
import { createReader } from '../../../../plugins/lib/markdown/src/read/reader.js';
import { writeDocument } from '../../../../plugins/lib/markdown/src/write/blocks.js';

function common(html: string): string {
  return convert({ html, format: 'common' }).trimEnd();
}

function gfm(html: string): string {
  return convert({ html, format: 'gfm' }).trimEnd();
}

type Case = readonly [rule: string, html: string, markdown: string];

const INLINE: readonly Case[] = [
  ['blanks stand outside of emphasis', 'a<b> b </b>c', 'a **b** c'],
  ['neighbours of one kind are one', '<b>a</b><strong>b</strong>', '**ab**'],
  ['empty emphasis is nothing', 'a<b></b><i> </i>b', 'a b'],
  ['emphasis in emphasis keeps both', '<b><i>a</i></b>', '**_a_**'],
  ['emphasis within a word', 'un<i>frigging</i>believable', 'un*frigging*believable'],
  ['where no delimiter can be, the tag is', '他说<b>“茶”</b>了', '他说<strong>“茶”</strong>了'],
  ['a lone asterisk and an underscore in a word are left alone', '5 * 3, snake_case, _x and y', '5 * 3, snake_case, _x and y'],
  ['what would be emphasis is escaped', '*a* _b_ **c**', '\\*a\\* \\_b\\_ \\*\\*c\\*\\*'],
  ['what would be a tag or an entity is escaped', '&lt;b&gt; &amp;amp; 1 &lt; 2 &amp; 3', '\\<b> \\&amp; 1 < 2 & 3'],
  ['what would be a link is escaped, other brackets not', '[a](b) [1] ![c](d)', '[a\\](b) [1] ![c\\](d)'],
  ['a backslash that would escape is doubled', 'C:\\dir \\* \\', 'C:\\dir \\\\* \\\\'],
  ['code with backticks is between more of them', '<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
  ['code that is a link is a link of code', '<code><a href="/x">f()</a></code>', '[`f()`](/x)'],
  ['keys are code', '<kbd>Ctrl</kbd>', '`Ctrl`'],
  ['links without a text are nothing', 'a <a href="/x"></a>b', 'a b'],
  ['brackets in a link text are escaped', '<a href="/x">[1]</a>', '[\\[1\\]](/x)'],
  ['parentheses in pairs stay in an address', '<a href="/a_(b)">x</a>', '[x](/a_(b))'],
  ['others put it between angle brackets', '<a href="/a)b">x</a> <a href="/a b">y</a>', '[x](</a)b>) [y](</a b>)'],
  ['a title is kept', '<a href="/x" title="say &quot;hi&quot;">x</a>', '[x](/x "say \\"hi\\"")'],
  ['a script is no link', '<a href="javascript:go()">x</a>', 'x'],
  [
    'an address that is its text is an autolink',
    '<a href="https://x.org/a">https://x.org/a</a>, <a href="mailto:a@b.org">a@b.org</a>',
    '<https://x.org/a>, <a@b.org>',
  ],
  ['an image in a link', '<a href="/x"><img src="/i.png" alt="I [1]" title="T"></a>', '[![I \\[1\\]](/i.png "T")](/x)'],
  ['an image without an address is its text', '<img alt="nothing">', 'nothing'],
  ['a line break is a backslash', 'a<br>b', 'a\\\nb'],
  ['two line breaks are a new paragraph', 'a<br><br>b', 'a\n\nb'],
  ['raised and lowered text keep their tags', 'H<sub>2</sub>O<sup>+</sup>', 'H<sub>2</sub>O<sup>+</sup>'],
  ['a raised link needs none', 'x<sup><a href="#n">[1]</a></sup>', 'x[\\[1\\]](#n)'],
  ['quotation marks are written', '<q>hi</q>', '“hi”'],
  ['readings stand in parentheses', '<ruby>茶<rp>(</rp><rt>chá</rt><rp>)</rp></ruby>', '茶(chá)'],
  ['an abbreviation is its text', '<abbr title="World Health Organization">WHO</abbr>', 'WHO'],
  ['a formula is its TeX', '<math><mi>E</mi><annotation encoding="application/x-tex">E = mc^2</annotation></math>', '$E = mc^2$'],
  [
    'TeX that a parser would change is kept by code',
    '<math><mi>x</mi><annotation encoding="application/x-tex">\\{x_{i}\\}</annotation></math>',
    '$`\\{x_{i}\\}`$',
  ],
  ['a formula without TeX is its text', '<math><mi>x</mi><mo>+</mo><mn>1</mn></math>', 'x+1'],
  ['a formula that is known as one line is that', '<math data-linear="1/2"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>', '1/2'],
  ['scripts and styles are nothing', 'a<script>x()</script><style>p{}</style>b', 'ab'],
];

const BLOCKS: readonly Case[] = [
  ['numbers that jump begin another list', '<ol><li>one<li value=10>ten<li>eleven</ol>', '1. one\n\n10) ten\n11) eleven'],
  ['backwards too', '<ol start=7 reversed><li>seven<li value=3>three<li>two</ol>', '7. seven\n\n3) three\n2) two'],
  ['a number that goes on as it would is none', '<ol><li>a<li value=2>b</ol>', '1. a\n2. b'],
  ['a number that no parser reads is not taken', '<ol><li>a<li value=-4>b<li value=9999999999>c</ol>', '1. a\n2. b\n3. c'],
  ['in items too', '<ul><li>a<ol><li>b<li value=5>c</ol></ul>', '- a\n\n  1. b\n\n  5) c'],
  ['no-break spaces indent the first line as any other', '<div>&nbsp; a<br>&nbsp; b</div><p>&nbsp;</p>', '\u00a0 a\\\n\u00a0 b'],
  ['without anything to escape too', '<p>&nbsp; a</p>', '\u00a0 a'],
  [
    'what would begin a block is escaped',
    '<p>- a</p><p>1. b</p><p># c</p><p>&gt; d</p><p>+ e</p><p>===</p><p>***</p><p>~~~</p>',
    '\\- a\n\n1\\. b\n\n\\# c\n\n\\> d\n\n\\+ e\n\n===\n\n\\***\n\n\\~\\~\\~',
  ],
  ['so is what would underline a heading', 'a<br>===<br>---', 'a\\\n===\\\n\\---'],
  ['and what would define a link', '[a]: http://x.org', '\\[a]: http\\://x.org'],
  ['text beside blocks is a paragraph', 'a<div>b</div>c', 'a\n\nb\n\nc'],
  ['headings are ATX, their last hashes escaped', '<h2>a #</h2><h6>b<br>c</h6>', '## a \\#\n\n###### b c'],
  ['a heading that is strong altogether is a heading', '<h2><b>a</b></h2>', '## a'],
  ['the link of a heading to itself is left out', '<h2>a <a href="#a">¶</a></h2>', '## a'],
  ['a listing keeps its language', '<pre><code class="hljs language-c++">a\n  b</code></pre>', '```c++\na\n  b\n```'],
  [
    'a language that a fence cannot carry is left out whole',
    '<pre class="language-c`x">a</pre><pre data-lang="a b">b</pre>',
    '```\na\n```\n\n```\nb\n```',
  ],
  ['a fence is longer than those in it', '<pre>```\n````</pre>', '`````\n```\n````\n`````'],
  ['the lines of a listing in blocks are lines', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
  ['a listing may be named within', '<pre><code><code class="language-js">a</code></code></pre>', '```js\na\n```'],
  ['lists nest', '<ul><li>a<ol start="9"><li>b</li><li>c</li></ol></li></ul>', '- a\n\n  9. b\n  10. c'],
  ['a nested list without a start is tight', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
  ['a list of paragraphs is loose', '<ol><li><p>a</p></li><li><p>b</p><pre>c</pre></li></ol>', '1. a\n\n2. b\n\n   ```\n   c\n   ```'],
  ['two lists are not one', '<ul><li>a</li></ul><ul><li>b</li></ul>', '- a\n\n* b'],
  ['a list that counts down does so', '<ol reversed><li>a</li><li>b</li></ol>', '2. a\n1. b'],
  ['items without a list are one', '<li>a</li><li>b</li>', '- a\n- b'],
  ['a list in a list belongs to the item before', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
  ['with white space between them too', '<ul>\n<li>a</li>\n<ul>\n<li>b</li>\n</ul>\n</ul>', '- a\n  - b'],
  ['terms stand before their definitions', '<dl><dt>A</dt><dd>a</dd><dt>B?</dt><dd>b</dd></dl>', '- **A:** a\n- **B?** b'],
  ['quotations nest', '<blockquote><p>a</p><blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
  ['a break is hyphens, in a list and first of all asterisks', '<hr><p>a</p><hr><ul><li><hr></li></ul>', '***\n\na\n\n---\n\n- ***'],
  ['a figure is its image, then its caption', '<figure><img src="/i.png" alt="I"><figcaption>C</figcaption></figure>', '![I](/i.png)\n\nC'],
  ['details are their summary in bold, then the rest', '<details open><summary>S</summary>d</details>', '**S**\n\nd'],
  ['a link around blocks is on the heading', '<a href="/x"><div>k</div><h3>h</h3><p>p</p></a>', 'k\n\n### [h](/x)\n\np'],
  ['emphasis around blocks is in each', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  [
    'a formula by itself is a listing where it must be',
    '<div><math display="block"><mi>x</mi><annotation encoding="application/x-tex">a\\,b</annotation></math></div>',
    '```math\na\\,b\n```',
  ],
];

const TABLE =
  '<table><thead><tr><th>Name</th><th align="right">Born</th></tr></thead><tbody><tr><td>Ada | A.</td><td align="right">1815</td></tr><tr><td>a<br>b</td><td align="right"><code>x|y</code></td></tr></tbody></table>';
const SPANS =
  '<table><tr><th rowspan="2">N</th><th colspan="2">Size</th></tr><tr><th>w</th><th>h</th></tr><tr><td rowspan="2">A</td><td>1</td><td>2</td></tr><tr><td colspan="2">3</td></tr></table>';

describe('markdown_format common', () => {
  it.each([...INLINE, ...BLOCKS])('%s', (_rule, html, markdown) => {
    expect(common(html)).toBe(markdown);
  });

  it.each<Case>([
    ['strikethrough keeps its tag', '<s>a</s>', '<del>a</del>'],
    ['radio buttons are signs', '<p><input type="radio" checked> a <input type="radio"> b</p>', '◉ a ○ b'],
    ['boxes are signs', '<ul><li><input type="checkbox" checked> a</li></ul>', '- ☑ a'],
    ['a table is a list of its rows', TABLE, '- **Name:** Ada | A.; **Born:** 1815\n- **Name:** a\\\n  b; **Born:** `x|y`'],
    ['what spans rows is in each of them', SPANS, '- **N:** A; **Size w:** 1; **Size h:** 2\n- **N:** A; **Size w:** 3'],
    [
      'a header of a row names it',
      '<table><tr><th>Energy</th><td>5</td></tr><tr><th>Fat</th><td>7</td></tr></table>',
      '- **Energy:** 5\n- **Fat:** 7',
    ],
    [
      'what GFM would take for its own is escaped',
      '~~a~~ www.x.org https://x.org a@b.org [^1]',
      '\\~\\~a\\~\\~ www\\.x.org https\\://x.org a\\@b.org \\[^1]',
    ],
    ['so are a box and the second row of a table', '<ul><li>[ ] a</li></ul>a | b<br>--|--', '- \\[ ] a\n\na | b\\\n\\--|--'],
  ])('%s', (_rule, html, markdown) => {
    expect(common(html)).toBe(markdown);
  });
});

describe('markdown_format gfm', () => {
  it.each([...INLINE, ...BLOCKS].filter(([, html]) => !html.includes('https://x.org/a')))('%s', (_rule, html, markdown) => {
    expect(gfm(html)).toBe(markdown);
  });

  it.each<Case>([
    ['strikethrough has two tildes', '<s>a</s> <del>b</del>', '~~a~~ ~~b~~'],
    ['radio buttons are signs', '<ul><li><input type="radio" checked> a</li><li><input type="radio"> b</li></ul>', '- ◉ a\n- ○ b'],
    [
      'boxes make tasks',
      '<ul><li><input type="checkbox" checked> a</li><li><label><input type="checkbox"> b</label></li></ul>',
      '- [x] a\n- [ ] b',
    ],
    [
      'a table has pipes, those in it escaped, also in code',
      TABLE,
      '| Name | Born |\n| --- | --: |\n| Ada \\| A. | 1815 |\n| a<br>b | `x\\|y` |',
    ],
    [
      'headers of several rows are joined, spans leave cells empty',
      SPANS,
      '| N | Size w | Size h |\n| --- | --- | --- |\n| A | 1 | 2 |\n|  | 3 |  |',
    ],
    ['a table without a header has an empty one', '<table><tr><td>a</td><td>b</td></tr></table>', '|  |  |\n| --- | --- |\n| a | b |'],
    [
      'lists in cells are lines',
      '<table><tr><th>a</th><th>b</th></tr><tr><td><ul><li>x</li><li>y</li></ul></td><td>1</td></tr></table>',
      '| a | b |\n| --- | --- |\n| - x<br>- y | 1 |',
    ],
    [
      'code that a cell cannot hold is HTML, TeX has other words',
      '<table><tr><th>a</th><th>b</th></tr><tr><td><code>x\\|y</code></td><td><math><mi>x</mi><annotation encoding="application/x-tex">\\|x\\|</annotation></math></td></tr></table>',
      '| a | b |\n| --- | --- |\n| <code>x&#92;&#124;y</code> | $`\\Vert x\\Vert `$ |',
    ],
    [
      'a table of one cell in a cell is its content',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><table><tr><td>2</td></tr></table></td></tr><tr><td>3</td><td>4</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    [
      'any other table in a cell is its rows, as lines',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><table><tr><th>k</th><th>v</th></tr><tr><td>x|</td><td>y</td></tr><tr><td>z</td><td><table><tr><td>w</td></tr></table></td></tr></table></td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1 | - **k:** x\\|; **v:** y<br>- **k:** z; **v:** w |',
    ],
    [
      'also where the outer one has no header, but text of its own',
      '<table><tr><td>one</td><td>two</td></tr><tr><td>three</td><td><table><tr><td>in</td></tr></table></td></tr></table>',
      '|  |  |\n| --- | --- |\n| one | two |\n| three | in |',
    ],
    [
      'a table in a header is its words',
      '<table><tr><th>a</th><th><table><tr><td>b</td><td>c</td></tr></table></th></tr><tr><td>1</td><td>2</td></tr></table>',
      '| a | b c |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'a table that arranges tables is what they hold',
      '<table><tr><td>menu</td><td><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>',
      'menu\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['an address that is its text stands by itself', '<a href="https://x.org/a">https://x.org/a</a>', 'https://x.org/a'],
    ['with brackets where that would not end with it', '<a href="https://x.org/a">https://x.org/a</a>x', '<https://x.org/a>x'],
  ])('%s', (_rule, html, markdown) => {
    expect(gfm(html)).toBe(markdown);
  });
});

describe('the title', () => {
  const titled = (title: string, html: string) => convert({ html, title, format: 'common' });

  it('is the first heading', () => {
    expect(titled('T *a*', '<p>x</p>')).toBe('# T \\*a\\*\n\nx\n');
  });

  it('is not repeated where the first heading says it, with or without the name of the site', () => {
    expect(titled('Tea', '<h1> tea </h1>')).toBe('# tea\n');
    expect(titled('Tea – Site', '<p>x</p><h1>Tea</h1>')).toBe('x\n\n# Tea\n');
    expect(titled('Site | Tea’s', "<h1>Tea's</h1>")).toBe("# Tea's\n");
  });

  it('stands before a heading that says something else', () => {
    expect(titled('Teapot', '<h1>Tea</h1>')).toBe('# Teapot\n\n# Tea\n');
  });

  it('is nothing where the page has none', () => {
    expect(titled('', '')).toBe('');
  });
});

it('a document nested deeper than the stack is high comes out', () => {
  expect(common(`${'<div>'.repeat(3_000)}a${'</div>'.repeat(3_000)}`)).toBe('a');
  expect(common(`${'<blockquote>'.repeat(600)}a`)).toMatch(/a$/);
});

it('noncharacters of a page are text', () => {
  expect(common('a\uFDD0b\uFDDEc <code>\uFDE3</code>')).toBe('a\uFDD0b\uFDDEc `\uFDE3`');
});

it.each<Case>([
  ['a link in a heading, around its blocks', '<h3><a href="/x"><div>a</div></a></h3>', '### [a](/x)'],
  ['text beside the heading of a summary', '<details open><summary><h3>a</h3> b</summary>c</details>', '### a\n\nb\n\nc'],
  [
    'lists in neighboring cells of a row, apart',
    `<table><tr><th>A</th></tr><tr><td><ul><li>x</ul></td><td><ul><li>y</ul></td></tr></table>`,
    '- **A:**\n  - x\n  * y',
  ],
  ['a term before a space', '<dl><dt>A </dt><dd>a</dd></dl>', '- **A:** a'],
])('keeps %s', (_rule, html, markdown) => {
  expect(common(html)).toBe(markdown);
});

it('keeps more blocks in one element than a call may have arguments', () => {
  expect(common(`<main>${'<hr>'.repeat(130_000)}</main>`)).toHaveLength(130_000 * 5 - 2);
});

it('reads and writes every page without any one of its rules', () => {
  const options = { gfm: true, imageAddress: (source: string) => source };
  const withoutEach = [
    ...BLOCK_RULES.map((one) => ({ blocks: BLOCK_RULES.filter((rule) => rule !== one), inlines: INLINE_RULES })),
    ...INLINE_RULES.map((one) => ({ blocks: BLOCK_RULES, inlines: INLINE_RULES.filter((rule) => rule !== one) })),
  ];
  const body = parseBody(`${[...INLINE, ...BLOCKS].map(([, html]) => `<div>${html}</div>`).join('')}${TABLE}${SPANS}<p>the end</p>`);
  for (const rules of withoutEach) {
    expect(writeDocument(createReader(body, rules, options).blocks(body.childNodes), options)).toMatch(/the end$/);
  }
});
