import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, openReader, HEAD, OPAQUE, splitBySight, type TreeReader } from './trees.js';

let reader: TreeReader;
beforeAll(() => {
  reader = openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

/** A text, and what is generated after it. */
const before = (css: string): string => `<style>i::before{position:absolute;${OPAQUE};${css}}</style><p>a</p><i></i>`;

interface Case {
  readonly what: string;
  readonly body: string;
  readonly seen?: readonly string[];
  readonly unseen?: readonly string[];
}

const OUTSIDE = box('position:absolute;top:100px;left:100px', 'a');

/** A picture of 16 by 16 pixels in a format without transparency, and what claims to be one. */
const JPEG =
  'data:image/jpeg;base64,/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABMAAEBAAAAAAAAAAAAAAAAAAAABgEBAQAAAAAAAAAAAAAAAAAABgcQAQAAAAAAAAAAAAAAAAAAAAARAQAAAAAAAAAAAAAAAAAAAAD/wAARCAAQABADASIAAhEAAxEA/9oADAMBAAIRAxEAPwCLAFF/f//Z';
const GIF = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const COVER = 'position:absolute;top:0;left:0;width:500px;height:100px;';
const cover = (css: string): string => box(COVER + css, '');
const picture = (src: string, css = ''): string => `<img alt="" src="${src}" style="${COVER}${css}">`;
/** A card that shows its other side when it is turned. */
const card = (turn: string): string =>
  box(
    `transform-style:preserve-3d;transform:${turn};position:relative;height:40px;width:200px`,
    `${box('position:absolute;backface-visibility:hidden', 'front')}${box('position:absolute;backface-visibility:hidden;transform:rotateY(180deg)', 'back')}`,
  );

const CASES: readonly Case[] = [
  { what: 'filter: opacity(0)', body: box('filter:opacity(0)', '<p>a'), unseen: ['a'] },
  { what: 'filter: opacity(50%) is seen', body: box('filter:blur(1px) opacity(50%)', '<p>a'), seen: ['a'] },
  { what: 'a mask that lets nothing through', body: box('mask-image:linear-gradient(transparent,#fff0)', 'a'), unseen: ['a'] },
  { what: 'a mask that fades out is seen', body: box('mask-image:linear-gradient(black,transparent)', 'a'), seen: ['a'] },
  { what: 'text of a transparent colour', body: box('color:transparent', 'a'), unseen: ['a'] },
  { what: 'transparent text with a shadow is seen', body: box('color:transparent;text-shadow:0 0 3px #000', 'a'), seen: ['a'] },
  { what: 'transparent text with an outline is seen', body: box('color:transparent;-webkit-text-stroke:1px red', 'a'), seen: ['a'] },
  {
    what: 'transparent text that cuts out its background is seen',
    body: box('background:linear-gradient(red,blue);background-clip:text;color:transparent', '<b>a</b>'),
    seen: ['a'],
  },
  {
    what: 'transparent text does not hide a link, which can be used all the same',
    body: '<a href=/ style="color:transparent">a</a> <a href=/>b</a>',
    seen: ['a', 'b'],
  },
  { what: 'a gradient does not cover', body: `<p>a</p>${cover('background:linear-gradient(red,blue)')}`, seen: ['a'] },
  {
    what: 'a gradient with a transparent colour does not cover',
    body: `<p>a</p>${cover('background:linear-gradient(red,rgba(0,0,255,.5))')}`,
    seen: ['a'],
  },
  {
    what: 'a gradient that is not repeated does not cover',
    body: `<p>a</p>${cover('background:linear-gradient(red,blue) 0 0/20px 20px no-repeat')}`,
    seen: ['a'],
  },
  { what: 'a picture does not cover', body: `<p>a</p>${picture(JPEG)}`, seen: ['a'] },
  { what: 'an opaque picture that leaves bars does not cover', body: `<p>a</p>${picture(JPEG, 'object-fit:contain')}`, seen: ['a'] },
  { what: 'an opaque picture covers nothing beneath its padding', body: `<p>a</p>${picture(JPEG, 'padding-left:100px')}`, seen: ['a'] },
  { what: 'a picture in a format with transparency does not cover', body: `<p>a</p>${picture(GIF)}`, seen: ['a'] },
  { what: 'a picture that is not there does not cover', body: `<p>a</p>${picture('http://127.0.0.1:1/none.jpg')}`, seen: ['a'] },
  { what: 'turned away', body: box('backface-visibility:hidden;transform:rotateY(180deg)', 'a'), unseen: ['a'] },
  { what: 'turned away with a back is seen', body: box('transform:rotateY(180deg);width:99px', 'a'), seen: ['a'] },
  { what: 'a mirror image is seen', body: box('backface-visibility:hidden;transform:scaleX(-1);width:99px', 'a'), seen: ['a'] },
  {
    what: 'turned half around in its plane is seen',
    body: box('backface-visibility:hidden;transform:rotate(180deg);width:99px', 'a'),
    seen: ['a'],
  },
  { what: 'the front of a card', body: card('none'), seen: ['front'], unseen: ['back'] },
  { what: 'the back of a card that is turned', body: card('rotateY(180deg)'), seen: ['back'], unseen: ['front'] },
  { what: 'plain text is seen', body: '<p>a', seen: ['a'] },
  { what: 'below the fold is seen', body: `${box('height:5000px', '')}<p>a`, seen: ['a'] },
  { what: 'far to the right of a page that scrolls is seen', body: box('position:absolute;left:4000px', 'a'), seen: ['a'] },
  { what: 'opacity 0 of its own', body: box('opacity:0', 'a'), unseen: ['a'] },
  { what: 'opacity 0 of an ancestor', body: box('opacity:0', '<p style="opacity:1">a'), unseen: ['a'] },
  { what: 'half transparent is seen', body: box('opacity:.5', 'a'), seen: ['a'] },
  { what: 'a font of two pixels', body: box('font-size:2px', 'a text '.repeat(99)), unseen: ['a text '.repeat(99).trim()] },
  { what: 'a font of eight pixels is seen', body: box('font-size:8px', 'i'), seen: ['i'] },
  { what: 'cut to two pixels', body: box('overflow:hidden;height:2px', '<p>a'), unseen: ['a'] },
  { what: 'generated and transparent', body: '<style>i::before{content:"a";color:#0000}</style><i></i>', unseen: ['a'] },
  { what: 'generated is seen', body: '<style>i::before{content:"a"}</style><i></i>', seen: ['a'] },
  { what: 'a zero font size', body: box('font-size:0', 'a'), unseen: ['a'] },
  {
    what: 'clipped away by overflow of an ancestor',
    body: box('overflow:hidden;height:20px', `${box('height:40px', '')}<p>a`),
    unseen: ['a'],
  },
  { what: 'clipped by overflow:clip', body: box('overflow:clip;width:9px', box('margin-left:60px', 'a')), unseen: ['a'] },
  { what: 'an absolute box is not clipped by what does not contain it', body: box('overflow:hidden;height:5px', OUTSIDE), seen: ['a'] },
  {
    what: 'an absolute box is clipped by what contains it',
    body: box('overflow:hidden;height:5px;position:relative', OUTSIDE),
    unseen: ['a'],
  },
  {
    what: 'in a box that scrolls, out of sight, is seen',
    body: box('overflow:auto;height:30px', `${box('height:400px', '')}<p>a`),
    seen: ['a'],
  },
  {
    what: 'in a column from its end',
    body: box('height:50px;overflow:auto;display:flex;flex-direction:column-reverse', box('flex:none;height:40px', 'a').repeat(3)),
    seen: ['a', 'a', 'a'],
  },
  {
    what: 'in a row from its end',
    body: box('width:50px;overflow:auto;display:flex;flex-direction:row-reverse', box('flex:none;width:40px', 'a').repeat(3)),
    seen: ['a', 'a', 'a'],
  },
  {
    what: 'a side turned away by rotate',
    body: box('backface-visibility:hidden;rotate:y 180deg', '<p>a') + box('backface-visibility:hidden;rotate:180deg;width:200px', '<p>b'),
    seen: ['b'],
    unseen: ['a'],
  },
  {
    what: 'in a box that scrolls and cannot be scrolled there',
    body: box(
      'overflow:auto;height:30px;width:300px;position:relative',
      `${box('position:absolute;left:-200px', 'a')}${box('height:400px', 'b')}`,
    ),
    seen: ['b'],
    unseen: ['a'],
  },
  {
    what: 'text hidden from the eye by a clip rectangle',
    body: box('position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap', 'a long text'),
    unseen: ['a long text'],
  },
  {
    what: 'text cut to a pixel',
    body: box('position:absolute;width:1px;height:1px;overflow:hidden;white-space:nowrap', 'a long text'),
    unseen: ['a long text'],
  },
  { what: 'clip-path inset(50%)', body: box('clip-path:inset(50%)', 'a'), unseen: ['a'] },
  { what: 'clip-path circle(0)', body: box('clip-path:circle(0px at 50% 50%)', box('position:absolute', 'a')), unseen: ['a'] },
  { what: 'clip-path that leaves some is seen', body: box('clip-path:inset(10% 0 0 0)', 'a'), seen: ['a'] },
  { what: 'off the page to the left', body: box('position:absolute;left:-9999px', 'a'), unseen: ['a'] },
  { what: 'off the page to the top', body: box('position:absolute;top:-500px', 'a'), unseen: ['a'] },
  {
    what: 'to the left in a page that runs from right to left is seen',
    body: `<script>document.documentElement.dir='rtl'</script>${box('width:3000px;text-align:left', 'a')}`,
    seen: ['a'],
  },
  ...['contain:paint;height:0', 'contain:strict', 'contain:content;height:9px'].map((css) => ({
    what: `what sticks out of a contained box (${css})`,
    body: box(css, `${box('height:10px', '')}<p>a`),
    unseen: ['a'],
  })),
  { what: 'contained layout cuts nothing', body: box('contain:layout style;height:0', '<p>a'), seen: ['a'] },
  { what: 'a box of the window, which has its overflow', body: `<body style="height:0;overflow:hidden"><p>a`, seen: ['a'] },
  { what: 'text-indent -9999px', body: box('text-indent:-9999px;overflow:hidden', 'a'), unseen: ['a'] },
  { what: 'a parent without height and with visible overflow', body: box('height:0', '<p>a'), seen: ['a'] },
  {
    what: 'a parent that is moved off, with a child moved back',
    body: box('position:absolute;left:-9999px', box('position:absolute;left:10009px', 'a')),
    seen: ['a'],
  },
  {
    what: 'wholly covered',
    body: `<p>a</p>${box(`position:absolute;top:0;left:0;width:500px;height:100px;${OPAQUE}`, 'b')}`,
    seen: ['b'],
    unseen: ['a'],
  },
  {
    what: 'covered in part is seen',
    body: `<p>a long text</p>${box(`position:absolute;top:0;left:0;width:20px;height:100px;${OPAQUE}`, '')}`,
    seen: ['a long text'],
  },
  {
    what: 'covered by two together',
    body: `<p>a long text</p>${box(`position:absolute;top:0;left:0;width:20px;height:100px;${OPAQUE}`, '')}${box(`position:absolute;top:0;left:15px;width:300px;height:100px;${OPAQUE}`, '')}`,
    unseen: ['a long text'],
  },
  {
    what: 'a transparent overlay does not cover',
    body: `<p>a</p>${box('position:fixed;inset:0;background:rgba(0,0,0,.5)', 'b')}`,
    seen: ['a', 'b'],
  },
  {
    what: 'an overlay of less than full opacity does not cover',
    body: `<p>a</p>${box(`position:fixed;inset:0;opacity:.9;${OPAQUE}`, 'b')}`,
    seen: ['a', 'b'],
  },
  {
    what: 'an opaque overlay without pointer events covers',
    body: `<p>a</p>${box(`position:fixed;inset:0;pointer-events:none;${OPAQUE}`, 'b')}`,
    seen: ['b'],
    unseen: ['a'],
  },
  {
    what: 'what is beneath in the order of painting covers nothing',
    body: `<p style="position:relative;z-index:2">a</p>${box(`position:fixed;inset:0;z-index:1;${OPAQUE}`, 'b')}`,
    seen: ['a', 'b'],
  },
  {
    what: 'a background of negative z-index covers nothing',
    body: `<p>a</p>${box(`position:fixed;inset:0;z-index:-1;${OPAQUE}`, '')}`,
    seen: ['a'],
  },
  {
    what: 'a modal that covers the page, what is below the fold too',
    body: `<p>a</p>${box('height:5000px', '')}<p>b</p>${box(`position:fixed;inset:0;${OPAQUE}`, '<button>c</button>')}`,
    seen: ['c'],
    unseen: ['a', 'b'],
  },
  {
    what: 'a header that is fixed covers for good only what cannot be scrolled out beneath it',
    body: `<p>a</p>${box('position:fixed;top:0;left:0;right:0;height:60px;background:#eee', 'c')}${box('height:5000px', '')}<p>b</p><script>scrollTo(0,9999)</script>`,
    seen: ['c', 'b'],
    unseen: ['a'],
  },
  {
    what: 'a header that is fixed, over a page scrolled beneath it',
    body: `${box('height:1000px', '')}<p>a</p>${box('height:3000px', '')}${box('position:fixed;top:0;left:0;right:0;height:60px;background:#eee', 'c')}<script>scrollTo(0,990)</script>`,
    seen: ['a', 'c'],
  },
  {
    what: 'a sticky bar covers nothing that can be scrolled away from it',
    body: `${box('position:sticky;top:0;height:60px;background:#eee', 'c')}<p>a</p>${box('height:5000px', '')}<script>scrollTo(0,40)</script>`,
    seen: ['c', 'a'],
  },
  {
    what: 'rounded corners cover nothing',
    body: `<p>a</p>${box(`position:absolute;top:-2px;left:-2px;width:300px;height:300px;border-radius:50%;${OPAQUE}`, '')}`,
    seen: ['a'],
  },
  {
    what: 'turned boxes cover nothing',
    body: `<p>a</p>${box(`position:absolute;top:0;left:0;width:200px;height:200px;transform:rotate(45deg);${OPAQUE}`, '')}`,
    seen: ['a'],
  },
  {
    what: 'no element is hidden by what is in it',
    body: `<button style="position:relative">a<span style="position:absolute;inset:0;${OPAQUE}">a</span></button>`,
    seen: ['a a'],
  },
  { what: 'the selected option of a closed list', body: '<select><option>a<option selected>b</select>', seen: ['b'], unseen: ['a'] },
  { what: 'generated content', body: '<style>p::before{content:"gen"}</style><p>a', seen: ['gen', 'a'] },
  ...['width:100%;height:2px', 'inset:0', 'width:20px;height:2px'].map((size) => ({
    what: `an empty pseudo-element (${size}) covers no more than its box`,
    body: `<style>h2{position:relative;margin:0}h2::after{content:"";position:absolute;left:0;bottom:0;${size};background:red}</style><button>a</button><p>b</p><h2>c</h2><p>d`,
    seen: ['a', 'b', 'c', 'd'],
  })),
  { what: 'an empty pseudo-element further down covers nothing', body: before('content:"";top:900px;width:99px;height:9px'), seen: ['a'] },
  {
    what: 'a pseudo-element covers its box alone',
    body: before('content:"text";width:2px;white-space:nowrap;left:0;top:0'),
    seen: ['a', 'text'],
  },
  { what: 'display:contents', body: '<div style="display:contents" aria-label=l role=group><p>a</div>', seen: ['l', 'a'] },
];

describe('only what a person can see', () => {
  it.each(CASES)('$what', async ({ body, seen = [], unseen = [] }) => {
    const nodes = await reader.readBody(HEAD + body);
    expect(splitBySight(nodes)).toEqual({ seen, unseen });
  });
});
