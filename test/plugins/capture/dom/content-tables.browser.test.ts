import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const readContent = useContentReader();
const read = async (body: string) => (await readContent(body)).replaceAll(/\s+/g, ' ').trim();
const row = (role: string, ...cells: readonly string[]) =>
  `<div role=row>${cells.map((cell) => `<span role=${role}>${cell}</span>`).join('')}</div>`;

describe('a table by its roles is a table', () => {
  it('of rows, in groups or not, with headers and a caption', async () => {
    expect(
      await read(
        `<div role=table><div role=caption>People</div><div role=rowgroup>${row('columnheader', 'Name', 'Born')}</div> ${row('cell', 'Ada', '<b>1815</b>')}</div>`,
      ),
    ).toBe(
      '<table><caption>People</caption><tbody><tr><th>Name</th><th>Born</th></tr></tbody> <tr><td>Ada</td><td><b>1815</b></td></tr></table>',
    );
  });

  it('of a grid, whose rows stand in holders that mean nothing, and whose cells span', async () => {
    expect(
      await read(
        `<ul role=grid><li><div>${row('gridcell', 'a', '')}</div></li><li role=row><div role=rowheader aria-colspan=2>b</div></li></ul>`,
      ),
    ).toBe('<table><tr><td>a</td><td></td></tr><tr><th colspan="2">b</th></tr></table>');
  });

  it('also within a cell of another', async () => {
    const inner = `<div role=table>${row('cell', 'x', 'y')}</div>`;
    expect(await read(`<div role=table>${row('cell', inner, 'z')}</div>`)).toBe(
      '<table><tr><td><table><tr><td>x</td><td>y</td></tr></table></td><td>z</td></tr></table>',
    );
  });

  it('without what is not shown', async () => {
    expect(await read(`<div role=table>${row('cell', 'a', 'b')}<p style="display:none">no</p></div>`)).toBe(
      '<table><tr><td>a</td><td>b</td></tr></table>',
    );
  });

  it.each([
    ['text beside its cells', `<div role=table>before ${row('cell', 'a')}</div>`],
    ['a link for a row', '<div role=table><a href="/" role=row><span role=cell>a</span></a></div>'],
    ['a button in a row', '<div role=grid><div role=row><button>go</button><span role=gridcell>a</span></div></div>'],
    ['a cell without a row', '<div role=table><span role=cell>a</span></div>'],
    ['a holder with a language of its own', `<div role=table><div lang=fr>${row('cell', 'a')}</div></div>`],
  ])('is none with %s: nothing of it is lost', async (_, body) => {
    const html = await read(body);
    expect(html).not.toContain('<t');
    expect(html).toContain('a');
  });

  it('is none of rows that stand alone', async () => {
    expect(await read(row('cell', 'a', 'b'))).toBe('<div> a b </div>');
  });
});
