import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();
const words = async (body: string): Promise<string> =>
  (await read(body))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const ROWS = Array.from({ length: 12 }, (_, index) => `r${String(index)}`);
const rows = (css: (index: number) => string) =>
  ROWS.map((row, index) => `<div style="position:absolute;${css(index)}">${row}</div>`).join('');
const down = (css: string) => rows((index) => `left:0;top:${String(index * 50)}px;height:50px;${css}`);
const along = (css: string) => rows((index) => `left:${String(index * 100)}px;width:100px;${css}`);
const scroller = (css: string, content: string) => `<div style="position:relative;overflow:auto;${css}">${content}</div>`;

describe('a box that is turned or mirrored is read as far as it scrolls', () => {
  it.each([
    ['a list from below', scroller('height:200px;transform:scaleY(-1)', down('transform:scaleY(-1)'))],
    ['below what is in view', scroller('height:200px;transform:scaleY(-1);margin-top:900px', down('transform:scaleY(-1)'))],
    ['by its scale', scroller('height:200px;scale:1 -1', down('scale:1 -1'))],
    ['in space', scroller('height:200px;transform:rotateX(180deg)', down('transform:rotateX(180deg)'))],
    ['from the right', scroller('width:300px;height:60px;margin-left:800px;transform:scaleX(-1)', along('transform:scaleX(-1)'))],
    [
      'on its side',
      scroller('width:120px;height:400px;transform:rotate(-90deg);transform-origin:right top', down('transform:rotate(90deg)')),
    ],
    ['by its angle', scroller('width:120px;height:400px;rotate:180deg', down('rotate:180deg'))],
    [
      'that scrolls one way, on its side',
      scroller(
        'width:120px;height:400px;overflow:hidden auto;transform:rotate(-90deg) translateY(-120px);transform-origin:right top',
        down(''),
      ),
    ],
    ['with the box that it stands in', `<div style="transform:scaleY(-1)">${scroller('height:200px', down('transform:scaleY(-1)'))}</div>`],
    [
      'with the rows in a box of their own',
      scroller('height:200px;margin-top:700px;transform:scaleY(-1)', `<div style="height:600px;position:relative">${down('')}</div>`),
    ],
  ])('%s', async (_what, body) => {
    expect(await words(body)).toBe(ROWS.join(' '));
  });

  it.each([
    ['what only moves or grows', scroller('height:200px;transform:translate(9px,9px) scale(1.5)', `a${rows(() => 'top:-500px')}`)],
    [
      'what is cut off by a box that nobody scrolls',
      scroller('height:200px;overflow:hidden;transform:scaleY(-1)', `a${rows(() => 'top:500px')}`),
    ],
    [
      'what is in a box without a size',
      `a${scroller(
        'height:0;transform:scaleY(-1)',
        rows(() => ''),
      )}`,
    ],
  ])('but not: %s', async (_what, body) => {
    expect(await words(body)).toBe('a');
  });
});
