import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openContentProbe, useContentReader, type ContentProbe } from './content-probe.js';

const read = useContentReader();
const TEXT = '<p>x</p>';
const box = (style: string, content = TEXT) => `<div style="${style}">${content}</div>`;

describe('the content drops what style alone hides, wherever it stands', () => {
  const CLIPS = [
    'inset(100%)',
    'inset(50%)',
    'inset(0px 100% 0px 0px)',
    'inset(0 0 100%)',
    'circle(0)',
    'circle(0px at 10px 10px)',
    'ellipse(0 0)',
    'ellipse(50% 0)',
    'polygon(0 0, 0 0, 0 0)',
    'polygon(0 0, 100% 0, 50% 0)',
    'rect(0 0 0 0)',
  ];
  it.each(CLIPS.flatMap((clip) => ['static', 'relative', 'absolute'].map((position) => [clip, position])))(
    'clip-path: %s, %s',
    async (clip, position) => {
      expect(await read(`<p>seen</p>${box(`position:${position};clip-path:${clip}`)}`)).toBe('<p>seen</p>');
    },
  );

  it.each([
    ['transform: scale(0)', box('transform:scale(0)')],
    ['what is in it', box('transform:scale(0)', box('', TEXT))],
    ['transform: scaleY(0)', box('transform:scaleY(0)')],
    ['scale: 0', box('scale:0')],
    ['transform: translateX(-200vw)', box('transform:translateX(-200vw)')],
    ['translate: 0 -200vh', box('translate:0 -200vh')],
    ['margin-left: -9999px', box('margin-left:-9999px;width:500px')],
    ['filter: opacity(0)', box('filter:opacity(0)')],
    ['filter: opacity(0) in a line', '<span style="filter:blur(1px) opacity(0%)">x</span>'],
    ['a mask that lets nothing through', box('mask-image:linear-gradient(transparent,transparent)')],
    ['backface-visibility: hidden, turned', box('backface-visibility:hidden;transform:rotateY(180deg)')],
    ['turned by what is around it', box('transform-style:preserve-3d;transform:rotateX(180deg)', box('backface-visibility:hidden'))],
    ['contain: paint without a height', box('contain:paint;height:0')],
    ['contain: strict without a size', box('contain:strict')],
    ['a frame without a size', '<iframe width=0 height=0 srcdoc="<p>x"></iframe>'],
    ['a frame of a pixel', '<iframe width=1 height=1 srcdoc="<p>x"></iframe>'],
    ['a frame without a height', '<iframe height=0 srcdoc="<p>x"></iframe>'],
  ])('%s', async (_what, body) => {
    expect(await read(`<p>seen</p>${body}`)).toBe('<p>seen</p>');
  });

  it('the back of a card', async () => {
    const side = (turn: string, text: string) => `<p style="backface-visibility:hidden;transform:rotateY(${turn})">${text}</p>`;
    const card = (turn: string) =>
      box(`transform-style:preserve-3d;transform:rotateY(${turn})`, side('0deg', 'front') + side('180deg', 'back'));
    expect(await read(card('0deg'))).toBe('<div><p>front</p></div>');
    expect(await read(card('180deg'))).toBe('<div><p>back</p></div>');
  });
});

describe('the content keeps what is seen', () => {
  it.each([
    ['clipped in part', box('clip-path:inset(10% 0 0 0)')],
    ['clipped to a circle', box('clip-path:circle(40%)')],
    ['clipped by what only a browser can measure', box('clip-path:inset(calc(10% - 1px))')],
    ['clipped to a shape of its own', box("clip-path:path('M0 0h500v500h-500z')")],
    ['made small', box('transform:scale(.2)')],
    ['a mirror image', box('backface-visibility:hidden;transform:scaleX(-1)')],
    ['half transparent', box('filter:opacity(50%)')],
    ['fading out', box('mask-image:linear-gradient(black,transparent)')],
    ['without a height, running out of its box', box('height:0')],
    ['contained, with a size', box('contain:paint')],
    ['growing', `<style>@keyframes g{from{transform:scale(0)}to{transform:scale(0)}}</style>${box('animation:g 1000s')}`],
    ['about to grow where it is scrolled to', box('height:9000px', '') + box('transform:scale(0);transition:transform 1s')],
    ['moved to the right', box('transform:translateX(200vw)')],
    ['moved in part to the left', box('margin-left:-50px')],
    [
      'the part of a row that was scrolled away',
      `<script>addEventListener('load',()=>{r.scrollLeft=9999})</script>${box('', '').replace('style=""', 'id=r style="display:flex;overflow-x:auto;width:300px"').replace('></div>', '><div style="flex:0 0 9999px"><p>x</p></div><div style="flex:0 0 9999px"></div></div>')}`,
    ],
    [
      'the part of a carousel that is not its turn',
      box('overflow:hidden', box('display:flex;transform:translateX(-200vw)', box('flex:0 0 100vw'))),
    ],
    ['in a page from right to left', `<style>html{direction:rtl}</style>${box('margin-right:1000px')}`],
  ])('%s', async (_what, body) => {
    expect((await read(body)).replaceAll(/<\/?div>/g, '')).toBe(TEXT);
  });
});

describe('what surrounds a shadow tree counts in it', () => {
  const host = (style: string, shadow: string, content = '') =>
    `<div style="${style}"><template shadowrootmode=open>${shadow}</template>${content}</div>`;
  const GRADIENT = 'background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text;color:transparent';

  it.each([
    ['a gradient on the host', host(GRADIENT, '<p>x</p>')],
    ['a gradient around a slot', host('', `<div style="${GRADIENT}"><slot></slot></div>`, TEXT)],
    [
      'a host that comes in',
      `<style>@keyframes g{to{left:0}}</style>${host('position:relative;left:-2000px;animation:g 1000s 1000s', '<p style="position:relative">x</p>')}`,
    ],
    [
      'a card whose front a shadow tree turns away',
      host(
        'transform-style:preserve-3d;transform:rotateY(180deg)',
        '<div style="backface-visibility:hidden;transform:rotateY(180deg)"><p>x</p></div>',
      ),
    ],
  ])('%s', async (_what, body) => {
    expect((await read(body)).replaceAll(/<\/?div>/g, '')).toBe(TEXT);
  });
});

describe('the content of frames', () => {
  let site: Site;
  let probe: ContentProbe;
  beforeAll(async () => {
    site = await openSite({
      '/': (request) => {
        const other = `http://localhost:${new URL(`http://${request.headers.host ?? ''}`).port}/in`;
        return ['width=0 height=0', 'width=1 height=1', 'style="width:300px;height:0"', 'width=300']
          .map((size) => `<iframe src="${other}" ${size}></iframe>`)
          .join('');
      },
      '/set': '<frameset rows="0,*"><frame src="/in"><frame src="/in"></frameset>',
      '/in': '<p>in</p>',
    });
    probe = openContentProbe();
  });
  afterAll(async () => {
    await probe[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it('of another site is read where the frame has a size', async () => {
    expect((await probe.capture(site.url('/'))).html).toBe('<div><p>in</p></div>');
  });

  it('so it is in a frame set', async () => {
    expect((await probe.capture(site.url('/set'))).html).toBe('<div><p>in</p></div>');
  });
});
