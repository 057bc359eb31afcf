import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, openReader, HEAD, splitBySight, type TreeReader } from './trees.js';

let reader: TreeReader;
beforeAll(() => {
  reader = openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

interface Case {
  readonly what: string;
  readonly body: string;
  readonly seen?: readonly string[];
  readonly unseen?: readonly string[];
}

const NAMES = Array.from({ length: 30 }, (_, at) => `p${String(at)}`);
const WIDE = `<table style="white-space:nowrap"><tr>${NAMES.map((name) => `<td style="min-width:200px">${name}</td>`).join('')}</table>`;

const CASES: readonly Case[] = [
  ...[
    'backdrop-filter:blur(2px)',
    'scale:1',
    'translate:0px 1px',
    'rotate:1deg',
    'will-change:translate',
    'will-change:scale',
    'will-change:backdrop-filter',
  ].map((css) => ({
    what: `what is fixed in a box with ${css} is cut by it`,
    body: box(`overflow:hidden;width:300px;height:30px;${css}`, `a${box('position:fixed;top:300px;left:0', 'b')}`),
    seen: ['a'],
    unseen: ['b'],
  })),
  ...[
    ['html,body{overflow-x:hidden}', 'right:-320px'],
    ['body{overflow-x:hidden;position:relative}', 'right:-320px'],
    ['body{overflow-x:hidden}', 'left:100%'],
    ['html{overflow-x:clip;overflow-y:hidden}', 'right:0;transform:translateX(100%)'],
  ].map(([page = '', css = '']) => ({
    what: `a drawer (${css}) beside a window that nobody can scroll sideways (${page})`,
    body: `<style>${page}</style><p>a</p>${box(`position:absolute;top:0;width:300px;${css}`, '<a href=/>b</a>')}`,
    seen: ['a'],
    unseen: ['b'],
  })),
  {
    what: 'beside a window that nobody can scroll sideways, what slides in, what scrolls by itself and what is further down are seen',
    body: `<style>body{overflow:hidden}</style>${box('transform:translateX(100%)', 'a')}${box('margin-top:2000px', 'b')}
      ${box('overflow-x:auto;position:relative;width:300px;height:50px', box('position:absolute;left:5000px', 'c'))}`,
    seen: ['a', 'b', 'c'],
  },
  ...[
    ['<tr style="overflow:hidden">', '<tr>'],
    ['<tr style="contain:paint">', '<tr>'],
    ['<tbody style="overflow:hidden"><tr>', '</tbody><tr>'],
  ].map(([first = '', next = '']) => ({
    what: `what sticks out of a part of a table that clips nothing: ${first}`,
    body: `<table>${first}<td rowspan=3 style="vertical-align:bottom">a<td>b${next}<td>c<tr><td style="height:80px">d</table>`,
    seen: ['a', 'b', 'c', 'd'],
  })),
  ...['overflow:hidden', 'contain:paint'].map((css) => ({
    what: `ruby with ${css} stands in a line`,
    body: `<ruby style="${css}">a<rt style="${css}">b</rt></ruby>`,
    seen: ['a'],
  })),
  ...[
    { css: 'overflow:clip', seen: ['a'], unseen: ['b', 'c'] },
    { css: 'overflow:hidden;overflow-clip-margin:60px', seen: ['a'], unseen: ['b', 'c'] },
  ].map(({ css, ...rest }) => ({
    what: `what sticks out of a box with ${css}`,
    body: box(
      `position:relative;width:200px;height:20px;margin:80px;${css}`,
      `a${box('position:absolute;top:50px', 'b')}${box('position:absolute;top:200px', 'c')}`,
    ),
    ...rest,
  })),
  ...['scaleY(-1)', 'rotate(180deg)', 'rotate(-90deg)'].flatMap((turn) =>
    [`transform:${turn}`, turn === 'scaleY(-1)' ? 'scale:1 -1' : `rotate:${turn.slice(7, -1)}`].map((css) => ({
      what: `all that can be scrolled to in a box with ${css}`,
      body: box(
        `overflow-y:auto;width:100px;height:100px;margin:900px;position:relative;${css}`,
        ['a', 'b', 'c', 'd'].map((name, at) => box(`position:absolute;top:${String(at * 90)}px;height:50px;${css}`, name)).join(''),
      ),
      seen: ['a', 'b', 'c', 'd'],
    })),
  ),
  {
    what: 'all that can be scrolled to within a box that is mirrored, and nothing that is cut there',
    body: box(
      'transform:scaleX(-1)',
      `${box('overflow-x:auto;width:100px;height:60px;position:relative', `a${box('position:absolute;left:500px', 'b')}`)}
      ${box('overflow:hidden;width:100px;height:60px;position:relative', `c${box('position:absolute;left:500px', 'd')}`)}`,
    ),
    seen: ['a', 'b', 'c'],
    unseen: ['d'],
  },
  { what: 'beside a window that can be scrolled sideways', body: box('position:absolute;top:0;left:100%', 'a'), seen: ['a'] },
  {
    what: 'an SVG drawing within a drawing, and its groups, cut nothing as blocks',
    body: `<style>svg,g{display:block;overflow:hidden}</style><svg width=400 height=200><svg x=10 y=10 width=300 height=100><text x=10 y=40>a</text></svg>
      <g style="position:absolute;transform:translate(5px)"><text x=10 y=150>b</text></g></svg>`,
    seen: ['a', 'b'],
  },
  ...['inline', 'block'].map((display) => ({
    what: `outside of an SVG drawing (display: ${display})`,
    body: `<svg width=100 height=30 style="display:${display}"><text x=10 y=20>a</text><text x=10 y=300>b</text></svg>`,
    seen: ['a'],
    unseen: ['b'],
  })),
  {
    what: 'beyond an SVG drawing that shows its overflow',
    body: '<svg width=100 height=30 style="overflow:visible"><text x=10 y=300>a</text></svg>',
    seen: ['a'],
  },
  {
    what: 'what stands in an SVG drawing as HTML is cut by its box',
    body: `<svg width=100 height=100><foreignObject width=50 height=20><p>a</p>${box('position:fixed;top:50px', 'b')}</foreignObject></svg>`,
    seen: ['a'],
    unseen: ['b'],
  },
  {
    what: 'what an SVG drawing defines is nothing until it is used',
    body: `<svg width=100 height=100>${['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker'].map((tag) => `<${tag}><text id=${tag}1 y=20>in ${tag}</text></${tag}>`).join('')}<use href="#symbol1"></use><text y=60>a</text></svg>`,
    seen: ['in symbol', 'a'],
  },
  { what: 'elements of HTML that are called as those of SVG', body: '<defs>a</defs><marker>b</marker>', seen: ['a', 'b'] },
  ...['html', 'body'].flatMap((tag) =>
    ['vertical-rl', 'vertical-lr', 'sideways-lr'].map((mode) => ({
      what: `all columns of a page whose ${tag} is ${mode}`,
      body: `<style>${tag}{writing-mode:${mode}} p{width:100px}</style>${NAMES.map((name) => `<p>${name}</p>`).join('')}`,
      seen: NAMES,
    })),
  ),
  {
    what: 'a wide table of a page whose body runs from right to left, and what is put away beside it',
    body: `<style>body{direction:rtl}</style>${WIDE}${box('position:absolute;right:-9999px;top:0', 'off')}`,
    seen: NAMES,
    unseen: ['off'],
  },
];

describe('what a box holds, cuts and scrolls to', () => {
  it.each(CASES)('$what', async ({ body, seen = [], unseen = [] }) => {
    const nodes = await reader.readBody(HEAD + body);
    const found = splitBySight(nodes);
    expect({ seen: [...new Set(found.seen)], unseen: found.unseen }).toEqual({ seen, unseen });
  });
});

it('a phone draws a page small enough to show what is placed beside it', async () => {
  const body = `<meta name=viewport content="width=device-width,initial-scale=1"><style>html,body{overflow-x:hidden}</style><p>a</p>${box('position:absolute;top:0;right:-320px;width:300px', 'b')}`;
  expect(splitBySight(await reader.readBody(HEAD + body, { device: 'iPhone 13' })).seen).toEqual(['a', 'b']);
});
