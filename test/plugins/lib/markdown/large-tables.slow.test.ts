import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert, readPage } from '../../../../plugins/lib/markdown/src/convert.js';
import { fromCommonMark, fromGfm } from './parsers.js';

const common = (html: string) => convert({ html, format: 'common' }).trim();
const gfm = (html: string) => convert({ html, format: 'gfm' }).trim();
const times = (count: number, html: string) => html.repeat(count);

/** Parts of the tree from which Markdown is written, but texts: the work of writing it. */
function partsMade(html: string, format: 'common' | 'gfm'): number {
  return countParts(readPage(html, { gfm: format === 'gfm', imageAddress: (source) => source }));
}

/** Objects are blocks, inlines and cells; lists in lists are items and rows. */
function countParts(tree: unknown): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  const own = Array.isArray(tree) ? tree.filter(Array.isArray).length : 'kind' in tree && tree.kind === 'text' ? 0 : 1;
  return Object.values(tree).reduce((sum: number, part) => sum + countParts(part), own);
}

it('rows of a table beyond the number that one cell can span are rows', () => {
  const rows = Array.from({ length: 65_540 }, (_, at) => `<tr><td>${String(at)}<td>x`);
  expect(gfm(`<table><tr><th>A<th>B${rows.join('')}</table>`)).toMatch(/\| 65539 \| x \|$/);
});

describe('a table made to be large', () => {
  const LARGEST: readonly (readonly [string, string])[] = [
    ['cells of a thousand columns', `<tr><th>a<th>b</tr>${times(900, '<tr><td colspan=1000>x')}`],
    ['a long cell of all rows', `<tr><td rowspan=0>${times(600, 'word *x* <b>bold</b> ')}<td>y${times(300, '<tr><td>z')}`],
    ['many cells of all rows', `<tr>${times(700, '<td rowspan=0>x')}${times(1000, '<tr><td>y')}`],
    ['one row of many cells, many of one', `${times(2500, '<td>x')}${times(1200, '<tr><td>x')}`],
    [
      'headers of a thousand columns in many rows',
      `<thead>${times(600, '<tr><th colspan=1000>h')}<tr>${times(1000, '<th>h')}</thead><tr><td>1<td>2`,
    ],
    ['a long header of many rows', `<tr><th>${times(1500, 'label ')}<th>b</tr>${times(700, '<tr><td>x<td>y')}`],
    [
      'a long header of many columns',
      `<thead><tr><th colspan=1000>${times(1500, 'label ')}<tr>${times(900, '<th>h')}</thead><tr><td>1<td>2`,
    ],
  ];

  it.each(LARGEST)('does not grow: %s', (_name, rows) => {
    const html = `<table>${rows}</table>`;
    for (const format of ['common', 'gfm'] as const) {
      expect(convert({ html, format }).length).toBeLessThan(8 * html.length);
      expect(partsMade(html, format)).toBeLessThan(html.length);
    }
  });

  const span = fc.constantFrom(
    ...['', '', '', ' colspan=1000', ' rowspan=0', ' rowspan=9999', ' colspan=7', ' rowspan=7', ' colspan=1000 rowspan=0'],
  );
  const content = fc.constantFrom(
    '',
    'x',
    'x',
    'word *x* <b>bold</b>',
    '<a href="/a">a</a>',
    '<ul><li>a</ul>',
    times(40, 'long '),
    '<table><td>x<td>y</table>',
  );
  const cell = fc.tuple(fc.constantFrom('td', 'td', 'th'), span, content).map(([name, spans, text]) => `<${name}${spans}>${text}`);
  const row = fc
    .tuple(fc.array(cell, { minLength: 1, maxLength: 6 }), fc.constantFrom(1, 1, 2, 30, 100))
    .map(([cells, count]) => `<tr>${times(count, cells.join(''))}`);
  const group = fc.tuple(
    fc.constantFrom('<tbody>', '<tbody>', '<thead>', ''),
    fc.array(row, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(1, 1, 2, 20, 50),
  );
  const table = fc
    .array(group, { minLength: 1, maxLength: 3 })
    .map((groups) => `<table>${groups.map(([open, rows, count]) => open + times(count, rows.join(''))).join('')}</table>`);
  // A table of a size that costs a moment: a larger one shows nothing else.
  const hostile = table.filter((html) => html.length < 20_000);

  it.each(['common', 'gfm'] as const)('nor does any that is generated, in %s', (format) => {
    fc.assert(
      fc.property(hostile, (html) => {
        expect(convert({ html, format }).length).toBeLessThan(20 * html.length);
        expect(partsMade(html, format)).toBeLessThan(3 * html.length);
      }),
      { numRuns: 60, seed: 20_261_122 },
    );
  });

  it('loses no word of a cell', () => {
    const numbered = (html: string) => {
      let word = 0;
      return html.replaceAll(/<(td|th)([^>]*)>/g, (_tag, name: string, spans: string) => `<${name}${spans}>w${String((word += 1))}w `);
    };
    fc.assert(
      fc.property(hostile.filter((html) => html.length < 3000).map(numbered), (html) => {
        const words = (text: string) => [...new Set(text.match(/w\d+w/g))].sort();
        expect(words(fromCommonMark(common(html)))).toEqual(words(html));
        expect(words(fromGfm(gfm(html)))).toEqual(words(html));
      }),
      { numRuns: 100, seed: 20_261_122 },
    );
  });
});
