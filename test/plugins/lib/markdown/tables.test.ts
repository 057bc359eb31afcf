import { describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';

const common = (html: string) => convert({ html, format: 'common' }).trim();
const gfm = (html: string) => convert({ html, format: 'gfm' }).trim();
const times = (count: number, html: string) => html.repeat(count);

type Case = readonly [rule: string, html: string, common: string, gfm: string];

const CORNER = (corner: string, cell: string) =>
  `<table><tr>${corner}<${cell}>A</${cell}><${cell}>B</${cell}></tr><tr><th>x</th><td>1</td><td>2</td></tr><tr><th>y</th><td>3</td><td>4</td></tr></table>`;
const MATH = (tex: string) => `<math><mi>m</mi><annotation encoding="application/x-tex">${tex}</annotation></math>`;
const COMPARED = '- **x:** **A:** 1; **B:** 2\n- **y:** **A:** 3; **B:** 4';

describe('what a table says', () => {
  it.each<Case>([
    [
      'headers beside an empty corner are headers',
      CORNER('<td></td>', 'th'),
      COMPARED,
      '|  | A | B |\n| --- | --- | --- |\n| x | 1 | 2 |\n| y | 3 | 4 |',
    ],
    [
      'so is a row above a column of headers',
      CORNER('<td></td>', 'td'),
      COMPARED,
      '|  | A | B |\n| --- | --- | --- |\n| x | 1 | 2 |\n| y | 3 | 4 |',
    ],
    [
      'and headers before an empty cell',
      '<table><tr><th>A</th><th>B</th><td></td></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
      '- **A:** 1; **B:** 2; 3',
      '| A | B |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
    ],
    [
      'a header of a row without a value is none of a column',
      '<table><tr><th>a</th><td></td></tr><tr><th>b</th><td>1</td></tr></table>',
      '- **a:**\n- **b:** 1',
      '|  |  |\n| --- | --- |\n| a |  |\n| b | 1 |',
    ],
    [
      'headers without rows stay',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody></tbody></table>',
      '- **A**; **B**',
      '| A | B |\n| --- | --- |',
    ],
    [
      'the header of an empty column stays, where its column is',
      '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td>1</td><td></td><td>2</td></tr><tr><td>3</td><td></td><td>4</td></tr></table>',
      '- **A:** 1; **B:**; **C:** 2\n- **A:** 3; **C:** 4',
      '| A | B | C |\n| --- | --- | --- |\n| 1 |  | 2 |\n| 3 |  | 4 |',
    ],
    [
      'links and pictures of headers stand there once, then their words',
      '<table><tr><th><a href="/a">A</a></th><th><b>B</b><br><img src="/b.png" alt="pic"></th></tr><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      '- **[A](/a):** 1; **B ![pic](/b.png):** 2\n- **A:** 3; **B pic:** 4',
      '| [A](/a) | **B**<br>![pic](/b.png) |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    [
      'headers with blocks are headers',
      '<table><tr><th></th><th><h3>A</h3><p>x</p></th><th><img src="/b.png" alt="pic"><h3>B</h3><hr></th><th><figure><img src="/c.png" alt="C"><figcaption>c</figcaption></figure></th></tr><tr><th>y</th><td>1</td><td>2</td><td>3</td></tr></table>',
      '- **y:** **A x:** 1; **![pic](/b.png) B:** 2; **![C](/c.png) c:** 3',
      '|  | A x | ![pic](/b.png) B | ![C](/c.png) c |\n| --- | --- | --- | --- |\n| y | 1 | 2 | 3 |',
    ],
    [
      'so are those of other blocks, and links around such',
      '<table><tr><th><section><header>A</header><form>b</form></section></th><th><pre>int a;\nint b;</pre></th><th><a href="/c"><img src="/c.png" alt="pic"><h4>C</h4></a></th><th><blockquote>D</blockquote><dl><dt>d</dt><dd>e</dd></dl></th></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>',
      '- **A b:** 1; **int a; int b;** 2; **[![pic](/c.png) C](/c):** 3; **D d e:** 4',
      '| A b | `int a; int b;` | [![pic](/c.png) C](/c) | D d e |\n| --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 |',
    ],
    [
      'cells with blocks keep their place in the row',
      '<table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td><ul><li>x</li></ul></td><td>1</td><td>2</td></tr></table>',
      '- **A:**\n\n  - x\n\n  **B:** 1; **C:** 2',
      '| A | B | C |\n| --- | --- | --- |\n| - x | 1 | 2 |',
    ],
    [
      'columns in which no cell begins are none',
      '<table><tr><th>A</th><th>B</th></tr><tr><td colspan="100%">all</td></tr><tr><td>1</td><td>2</td></tr></table>',
      '- **A:** all\n- **A:** 1; **B:** 2',
      '| A | B |\n| --- | --- |\n| all |  |\n| 1 | 2 |',
    ],
    [
      'a cell reaches to the end of its part of the table, and no further',
      '<table><thead><tr><th rowspan="9">A</th><th>B</th></tr></thead><tbody><tr><td rowspan="0">1</td><td>2</td></tr><tr><td>3</td></tr></tbody><tbody><tr><td>4</td><td>5</td></tr></tbody></table>',
      '- **A:** 1; **B:** 2\n- **A:** 1; **B:** 3\n- **A:** 4; **B:** 5',
      '| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 | 5 |',
    ],
    [
      'a header over all columns is a title',
      '<table><tr><th colspan="2">T <a href="/t">t</a></th></tr><tr><th>A</th><td>1</td></tr><tr><th>B</th><td>2</td></tr></table>',
      'T [t](/t)\n\n- **A:** 1\n- **B:** 2',
      'T [t](/t)\n\n|  |  |\n| --- | --- |\n| A | 1 |\n| B | 2 |',
    ],
    [
      'and so are several, above the header',
      '<table><caption>C</caption><thead><tr><td colspan="100%">T</td></tr><tr><th colspan="2">U</th></tr><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td rowspan="2">2</td></tr><tr><td>3</td></tr></tbody></table>',
      'C\n\nT\n\nU\n\n- **A:** 1; **B:** 2\n- **A:** 3; **B:** 2',
      'C\n\nT\n\nU\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 |  |',
    ],
    ['a table of one column has a header', '<table><tr><th>A</th></tr><tr><td>1</td></tr></table>', '- **A:** 1', '| A |\n| --- |\n| 1 |'],
    [
      'a header over some columns is theirs',
      '<table><tr><th></th><th colspan="2">T</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
      '- 1; **T:** 2; **T:** 3',
      '|  | T | T |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
    ],
    ['a table without content is none', 'a<table><tr><td></td><td> </td></tr><tr><td></td><td></td></tr></table>b', 'a\n\nb', 'a\n\nb'],
    ['boxes are content', '<table><tr><td></td><td><input type="checkbox"></td></tr></table>', '- ☐', '|  |  |\n| --- | --- |\n|  | ☐ |'],
    [
      'numbered formulas are lines',
      `a<table><tr><td></td><td>${MATH('x')}</td><td>${MATH('=y')},</td><td></td><td rowspan="2">(1.2)</td></tr><tr><td></td><td></td><td>${MATH('=z')}</td><td></td></tr></table>b`,
      'a\n\n$x$ $=y$, (1.2)\n\n$=z$\n\nb',
      'a\n\n$x$ $=y$, (1.2)\n\n$=z$\n\nb',
    ],
    [
      'with the words between them',
      `<table><tr><td>${MATH('x')}</td><td>(1)</td></tr><tr><td colspan="2">where</td></tr><tr><td><img src="/y.png" alt="y"></td><td>(2)</td></tr></table>`,
      '$x$ (1)\n\nwhere\n\n![y](/y.png) (2)',
      '$x$ (1)\n\nwhere\n\n![y](/y.png) (2)',
    ],
    [
      'a cell over all columns above the header is a title',
      '<table><tr><td colspan="2"><b>T</b></td></tr><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
      '**T**\n\n- **A:** 1; **B:** 2',
      '**T**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'a cell over all columns above other rows is a cell',
      '<table><tr><td colspan="2">T</td></tr><tr><td>1</td><td>2</td></tr></table>',
      '- T\n- 1: 2',
      '|  |  |\n| --- | --- |\n| T |  |\n| 1 | 2 |',
    ],
    ['so are formulas beside empty cells', `<table><tr><td></td><td>${MATH('x')}</td></tr></table>`, '$x$', '$x$'],
    [
      'a table of formulas is one',
      `<table><tr><td>${MATH('x')}</td><td>${MATH('y')}</td></tr></table>`,
      '- $x$: $y$',
      '|  |  |\n| --- | --- |\n| $x$ | $y$ |',
    ],
    [
      'and so is one of numbers with headers',
      `<table><tr><th>A</th><th>B</th></tr><tr><td>${MATH('x')}</td><td>(1)</td></tr></table>`,
      '- **A:** $x$; **B:** (1)',
      '| A | B |\n| --- | --- |\n| $x$ | (1) |',
    ],
  ])('%s', (_rule, html, ofCommon, ofGfm) => {
    expect(common(html)).toBe(ofCommon);
    expect(gfm(html)).toBe(ofGfm);
  });

  it('what spans rows is said again where it is short, and once where it is long', () => {
    const table = (text: string) =>
      `<table><tr><th>A</th><th>B</th></tr><tr><td rowspan="2">${text}</td><td>1</td></tr><tr><td>2</td></tr></table>`;
    expect(common(table('short'))).toBe('- **A:** short; **B:** 1\n- **A:** short; **B:** 2');
    const long = times(60, 'long ').trim();
    expect(common(table(long))).toBe(`- **A:** ${long}; **B:** 1\n- **B:** 2`);
  });

  it('a long name of a column is whole once, then its first words', () => {
    const name = times(30, 'name ').trim();
    const table = `<table><tr><th>${name}</th><th>B</th></tr>${times(2, '<tr><td>1</td><td>2</td></tr>')}</table>`;
    expect(common(table)).toBe(`- **${name}:** 1; **B:** 2\n- **${times(16, 'name ').trim()}…** 1; **B:** 2`);
  });
});
