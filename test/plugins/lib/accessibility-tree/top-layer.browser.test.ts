import { afterAll, beforeAll, expect, it } from 'vitest';
import { box, HEAD, OPAQUE, openReader, splitBySight, type TreeReader } from './trees.js';

let reader: TreeReader;
beforeAll(() => {
  reader = openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

const MODAL = '<dialog id=d><p>a</p></dialog>';
const POPOVER = '<div popover id=d>a</div>';

const AROUND = {
  'hides what sticks out': 'overflow:hidden;height:0;position:relative',
  'is moved away and cuts': 'transform:translateX(-2000px);overflow:hidden;height:0;width:200px',
  'holds what is fixed and cuts': 'overflow:hidden;transform:translateZ(0);width:200px;height:20px',
  scrolls: 'overflow:auto;height:80px;will-change:transform',
  'is cut by a path': 'clip-path:inset(50%);position:absolute',
  'is transparent': 'opacity:0',
  'is shrunk to nothing': 'transform:scale(0);width:100px;height:100px',
  'contains paint': 'contain:paint;height:0',
  'shows nothing until it is in view': 'content-visibility:auto;margin-top:3000px',
  'is behind all else': `position:relative;z-index:-1`,
  'shows its front only, turned': 'transform:rotateY(180deg);transform-style:preserve-3d',
};

it.each(Object.entries(AROUND))('what is open on top is seen where what it is written in %s', async (_, css) => {
  for (const [body, open] of [
    [MODAL, 'd.showModal()'],
    [POPOVER, 'd.showPopover()'],
  ] as const) {
    const nodes = await reader.readBody(`${HEAD}${box(css, body)}<script>${open}</script>`);
    expect(splitBySight(nodes).seen).toEqual(['a']);
  }
});

it('a dialog that is not modal is held by what it is written in', async () => {
  const nodes = await reader.readBody(`${HEAD}${box(AROUND['is moved away and cuts'], '<dialog open>a</dialog>')}`);
  expect(splitBySight(nodes)).toEqual({ seen: [], unseen: ['a'] });
});

it('what is open on top may hide by itself, and be hidden in, and covers what is behind', async () => {
  const nodes = await reader.readBody(
    `${HEAD}<style>[popover]{margin:0;border:0;inset:0;width:100%;height:50px}</style><p>behind</p>${box('overflow:hidden;height:0', `<div popover=manual id=c style="${OPAQUE}">in front</div>`)}
    <div popover=manual id=t style="inset:100px auto auto 0;opacity:0">transparent</div>
    <div popover=manual id=s style="inset:200px auto auto 0;height:0;padding:0;overflow:hidden">shut</div>
    <div style="visibility:hidden"><div popover=manual id=h style="inset:300px auto auto 0">hidden</div></div>
    <script>for (const e of [c, t, s, h]) e.showPopover()</script>`,
  );
  expect(splitBySight(nodes)).toEqual({ seen: ['in front'], unseen: ['behind', 'transparent', 'shut'] });
});

it('what is open on top scrolls with the document unless it is fixed', async () => {
  const nodes = await reader.readBody(
    `${HEAD}<div style="height:3000px"></div>${box('overflow:hidden;height:0', '<div popover=manual id=p style="position:absolute;inset:2000px auto auto 0">a</div><div popover=manual id=q style="inset:2000px auto auto 0">b</div>')}
    <script>p.showPopover();q.showPopover()</script>`,
  );
  expect(splitBySight(nodes)).toEqual({ seen: ['a'], unseen: ['b'] });
});
