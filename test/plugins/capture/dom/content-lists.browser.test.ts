import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();

describe('the content keeps', () => {
  it('numbers of lists as letters or roman numerals, by attribute or by style', async () => {
    expect(await read('<ol type=A><li>a<li type=i>b</ol>')).toBe('<ol type="A"><li>a</li><li type="i">b</li></ol>');
    expect(await read('<ol style="list-style-type:upper-roman"><li>a</ol>')).toBe('<ol type="I"><li>a</li></ol>');
    expect(await read('<ol><li>a</ol><ul type=square><li>b</ul>')).toBe('<ol><li>a</li></ol><ul><li>b</li></ul>');
  });

  it('numbered items without a text, since the next ones are counted from them', async () => {
    expect(await read('<ol><li><li>a<li hidden></ol><ul><li><li>b</ul>')).toBe('<ol><li></li><li>a</li></ol><ul><li>b</li></ul>');
    expect(await read('<p>seen</p><ol style="list-style:none"><li></ol>')).toBe('<p>seen</p>');
  });

  it('what stands in an object where that is what is shown', async () => {
    const fallback = '<p>a <a href="http://a.test/">b</a></p>';
    expect(await read(`<object type=foo/bar data="data:foo/bar,x">${fallback}</object>`)).toBe('<p>a <a href="http://a.test/">b</a></p>');
    expect(
      await read(
        `<p>seen</p><object type=image/svg+xml data="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">${fallback}</object>`,
      ),
    ).toBe('<p>seen</p>');
  });

  it('cells that are cells by role or style, apart from each other', async () => {
    const row = '<div role=row><span role=columnheader>a</span><span role=cell>b</span><span role=gridcell>c</span></div>';
    expect((await read(`<div>${row}</div>`)).replaceAll(/ +/g, ' ')).toBe('<div><div> a b c </div></div>');
    const cells = '<span style="display:table-cell">a</span><span style="display:table-cell">b</span>';
    expect(await read(`<div style="display:table">${cells}</div>`)).toBe('<div><div>a</div><div>b</div></div>');
  });
});
