import { describe, expect, it } from 'vitest';
import { useContentReader } from './content-probe.js';

const read = useContentReader();
const words = async (body: string, head = ''): Promise<string> =>
  (await read(body, head))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const lines = (count: number) => Array.from({ length: count }, (_, index) => `<p>l${String(index)}`);
const text = (count: number) => Array.from({ length: count }, (_, index) => `l${String(index)}`).join(' ');
const placed = (css: string, content: string) => `<div style="position:absolute;width:100px;${css}">${content}</div>`;

describe('a document is read as far as its window scrolls', () => {
  it.each([
    ['html{writing-mode:vertical-rl}'],
    ['body{writing-mode:vertical-rl}'],
    ['html{writing-mode:vertical-rl;direction:rtl}'],
    ['body{writing-mode:vertical-lr;direction:rtl}'],
    ['body{writing-mode:sideways-lr}'],
    ['html{writing-mode:sideways-rl}'],
  ])('where its lines are upright: %s', async (rule) => {
    expect(await words(lines(60).join(''), `<style>${rule}</style>`)).toBe(text(60));
  });

  it('in quirks mode', async () => {
    const page = `<body style="writing-mode:vertical-rl">${lines(60).join('')}`;
    expect(await words(`<iframe width=600 height=300 srcdoc='${page}'></iframe>`)).toBe(text(60));
  });

  it('in a frame', async () => {
    const page = `<!doctype html><body style="writing-mode:vertical-rl">${lines(60).join('')}`;
    expect(await words(`<iframe width=600 height=300 srcdoc='${page}'></iframe>`)).toBe(text(60));
  });

  const wide = `<div style="width:6000px">a</div><div style="width:6000px;text-align:end"><p>b</div>`;
  it.each([
    ['the body runs from right to left', 'body{direction:rtl}', wide + placed('right:-3000px', 'x'), 'a b'],
    ['a contained body says nothing of its window', 'body{contain:layout;direction:rtl}', `a${placed('left:-3000px', 'x')}`, 'a'],
    ['nor does a contained root', 'html{contain:style}body{direction:rtl}', `a${placed('right:-9999px', 'b')}`, 'a b'],
    [
      'the root of such runs on',
      'html{direction:rtl;contain:style}',
      `a${placed('right:3000px', 'b')}${placed('right:-3000px', 'x')}`,
      'a b',
    ],
    ['upwards', 'html{writing-mode:sideways-lr}', `<p>a</p>${placed('top:-3000px', 'b')}${placed('bottom:-3000px', 'x')}`, 'a b'],
  ])('%s', async (_what, rule, body, seen) => {
    expect(await words(body, `<style>${rule}</style>`)).toBe(seen);
  });
});

describe('what is placed beside a window that cannot be scrolled there is not read', () => {
  const DRAWERS = ['right:-320px', 'left:100%', 'right:0;transform:translateX(100%)'];
  const LOCKS = ['html,body{overflow-x:hidden}', 'body{overflow-x:hidden;position:relative;margin:0}', 'html{overflow:clip}'];
  it.each(LOCKS.flatMap((lock) => DRAWERS.map((drawer) => [lock, drawer] as const)))('%s, %s', async (lock, drawer) => {
    expect(await words(`<p>a</p>${placed(`top:0;${drawer}`, 'x')}`, `<style>${lock}</style>`)).toBe('a');
  });

  it.each([
    ['where the window scrolls', '', `a${placed('left:100%', 'b')}`],
    [
      'below it, where a page is locked for a dialog',
      'body{overflow:hidden}',
      `a<div style="height:3000px"></div>${placed('top:2000px', 'b')}`,
    ],
    ['what flows', 'html,body{overflow-x:hidden}', '<div style="display:flex;width:200vw"><p style="flex:none;width:100vw">a<p>b</div>'],
    [
      'what flows in a row that is placed',
      'html,body{overflow:hidden}',
      placed('top:0;left:0', '<div style="display:flex;width:300vw"><p style="flex:none;width:100vw">a<p>b</div>'),
    ],
  ])('but it is %s', async (_what, rule, body) => {
    expect(await words(body, `<style>${rule}</style>`)).toBe('a b');
  });
});
