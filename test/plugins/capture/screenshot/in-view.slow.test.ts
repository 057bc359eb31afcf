import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { BLUE, dataUrl, decodePicture, GREEN, isColour, page, RED, YELLOW, type Picture } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>): Promise<Picture> {
  return decodePicture(await (await host.render(params)).bytes());
}

/** Every tenth pixel of a rectangle. */
function expectAll({ at }: Picture, [left, top, width, height]: readonly [number, number, number, number], colour: readonly number[]) {
  const wrong: string[] = [];
  for (let y = top; y < top + height; y += 10)
    for (let x = left; x < left + width; x += 10)
      if (!isColour(at(x, y), colour)) wrong.push(`${String(x)},${String(y)}: ${at(x, y).join()}`);
  expect(wrong.slice(0, 5)).toEqual([]);
}

const gap = (height: number | string, more = '') =>
  `<div style="height:${typeof height === 'number' ? `${String(height)}px` : height};${more}"></div>`;

describe('frames of other sites', () => {
  let site: Site;
  beforeAll(async () => {
    const frame = (id: string, height: number, path = '/red') =>
      `<iframe id="${id}" src="http://localhost:${String(site.port)}${path}" style="display:block;border:0;width:400px;height:${String(height)}px"></iframe>`;
    const hero = gap('100vh', 'background:blue');
    site = await openSite({
      '/red': '<body style="background:red;margin:0">',
      '/halves': '<body style="margin:0"><div style="height:50vh;background:red"></div><div style="height:50vh;background:green"></div>',
      '/nested': () => `<body style="margin:0">${frame('i', 200)}`,
      '/below': () => page(gap(1500) + `<div id="box" style="width:500px;background:blue">${frame('i', 200)}</div>` + gap(1500)),
      '/bars': () =>
        page(
          `<div style="position:fixed;inset:0 0 auto 0;height:400px;background:yellow;z-index:9"></div><div style="position:sticky;top:380px;height:100px;background:yellow;z-index:9"></div>${gap(1500)}${frame('i', 200)}${gap(1500)}`,
        ),
      '/late-bar': () =>
        page(
          `<div id="bar" style="height:500px;background:yellow;width:100%"></div>${gap(1500)}${frame('i', 200)}${gap(1500)}<script>addEventListener('scroll',()=>{bar.style.cssText+=';position:fixed;top:0'})</script>`,
        ),
      '/hero': () => page(hero + gap(800) + frame('i', 200) + gap(500) + frame('j', 1600, '/halves') + gap(300)),
      '/hero-nested': () =>
        page(`${hero}${gap(800)}<iframe src="/nested" style="display:block;border:0;width:400px;height:200px"></iframe>${gap(300)}`),
      '/hero-bars': () =>
        page(
          `<div style="position:fixed;inset:auto 0 0 0;height:300px;background:yellow;z-index:9"></div>${hero}<div style="position:sticky;top:20px;height:50px;background:green;z-index:9"></div>${gap(800)}${frame('i', 700)}${gap(500)}`,
        ),
      '/lazy': () => page(gap(9000) + frame('i', 200).replace('<iframe', '<iframe loading="lazy"') + gap(9000)),
      '/hero-lazy': () => page(hero + gap(6000) + frame('i', 200).replace('<iframe', '<iframe loading="lazy"') + gap(6000)),
      '/long': () => page(gap(17_000) + frame('i', 200) + gap(500)),
      '/tall': () =>
        page(`${gap(1000)}<div id="box" style="background:blue;width:500px">${frame('i', 200)}${gap(1600)}${frame('j', 200)}</div>`),
      '/growing': () =>
        page(
          `${gap('100vh')}<div id="box" style="background:blue;width:500px">${gap('100vh')}${frame('i', 200)}${gap(400)}${frame('j', 200)}</div>`,
        ),
    });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it('an element below the first screen that is one', async () => {
    const picture = await render({ url: site.url('/below'), image_selector: '#i' });
    expect([picture.width, picture.height]).toEqual([400, 200]);
    expectAll(picture, [0, 0, 400, 200], RED);
  });

  it('a lazy one far below the first screen', async () => {
    expectAll(await render({ url: site.url('/lazy'), image_selector: '#i' }), [0, 0, 400, 200], RED);
  });

  it('a full page with a block as high as the viewport, and a lazy one far below', async () => {
    expectAll(await render({ url: site.url('/hero-lazy'), full_page: true }), [0, 6720, 400, 200], RED);
  });

  it('an element below the first screen that contains one', async () => {
    const picture = await render({ url: site.url('/below'), image_selector: '#box' });
    expectAll(picture, [0, 0, 400, 200], RED);
    expectAll(picture, [400, 0, 100, 200], BLUE);
  });

  it.each(['/bars', '/late-bar'])('what is fixed to the window does not cover an element that was scrolled to (%s)', async (path) => {
    expectAll(await render({ url: site.url(path), image_selector: '#i' }), [0, 0, 400, 200], RED);
  });

  it.each([1, 2])('an element that is higher than the viewport, at scale %i', async (view_scale) => {
    const picture = await render({ url: site.url('/tall'), image_selector: '#box', view_scale });
    expect([picture.width, picture.height]).toEqual([500 * view_scale, 2000 * view_scale]);
    expectAll(picture, [0, 0, 400 * view_scale, 200 * view_scale], RED);
    expectAll(picture, [0, 1800 * view_scale, 400 * view_scale, 200 * view_scale], RED);
    expectAll(picture, [0, 200 * view_scale, 500 * view_scale, 1600 * view_scale], BLUE);
  });

  it('an element that grows with the viewport keeps the size that it has', async () => {
    const picture = await render({ url: site.url('/growing'), image_selector: '#box' });
    expect([picture.width, picture.height]).toEqual([500, 1520]);
    expectAll(picture, [0, 0, 500, 720], BLUE);
    expectAll(picture, [0, 720, 400, 200], RED);
    expectAll(picture, [0, 920, 500, 400], BLUE);
    expectAll(picture, [0, 1320, 400, 200], RED);
  });

  it('a full page with a block as high as the viewport', async () => {
    const picture = await render({ url: site.url('/hero'), full_page: true });
    expect([picture.width, picture.height]).toEqual([1280, 720 + 800 + 200 + 500 + 1600 + 300]);
    expectAll(picture, [0, 0, 1280, 720], BLUE);
    expectAll(picture, [0, 1520, 400, 200], RED);
    expectAll(picture, [0, 2220, 400, 800], RED);
    expectAll(picture, [0, 3020, 400, 800], GREEN);
    expectAll(picture, [400, 720, 880, 3400], [255, 255, 255]);
  });

  it('a full page: one within a frame of the same site', async () => {
    expectAll(await render({ url: site.url('/hero-nested'), full_page: true }), [0, 1520, 400, 200], RED);
  });

  it('a full page: what is fixed and what is sticky is there once, where it is without scrolling', async () => {
    const picture = await render({ url: site.url('/hero-bars'), full_page: true });
    expectAll(picture, [0, 0, 1280, 420], BLUE);
    expectAll(picture, [0, 420, 1280, 300], YELLOW);
    expectAll(picture, [0, 720, 1280, 50], GREEN);
    expectAll(picture, [400, 770, 880, 1800], [255, 255, 255]);
    expectAll(picture, [0, 1570, 400, 700], RED);
  });

  it('a full page that is higher than what the browser paints of a viewport', async () => {
    const picture = await render({ url: site.url('/long'), full_page: true });
    expect(picture.height).toBe(17_700);
    expectAll(picture, [0, 17_000, 400, 200], RED);
  });
});

describe('content-visibility: auto', () => {
  const STYLE =
    '<style>section{content-visibility:auto;contain-intrinsic-size:auto 300px;background:blue}section div{height:600px;background:red}section p{margin:0;padding:20px 0;background:green}</style>';
  const sections = Array.from({ length: 6 }, (_, index) => `<section id="s${String(index)}"><div></div></section>`).join('');

  it.each(['#s4', '#s4 div'])('an element below the first screen: %s', async (image_selector) => {
    const picture = await render({ url: dataUrl(gap('100vh') + sections, STYLE), image_selector });
    expect([picture.width, picture.height]).toEqual([1280, 600]);
    expectAll(picture, [0, 0, 1280, 600], RED);
  });

  it('a full page with a block as high as the viewport', async () => {
    const picture = await render({ url: dataUrl(gap('100vh', 'background:blue') + sections, STYLE), full_page: true });
    expect([picture.width, picture.height]).toEqual([1280, 720 + 6 * 600]);
    expectAll(picture, [0, 0, 1280, 720], BLUE);
    expectAll(picture, [0, 720, 1280, 3600], RED);
  });

  it('a full page that is higher than what the browser paints of a viewport', async () => {
    const picture = await render({ url: dataUrl(sections + gap(17_000) + sections.replaceAll('id="s', 'id="t'), STYLE), full_page: true });
    expect(picture.height).toBe(17_000 + 12 * 600);
    expectAll(picture, [0, 20_600, 1280, 3600], RED);
  });

  it('keeps margins inside, as it does in view', async () => {
    const inner = '<section><p style="margin:50px 0"></p></section>'.repeat(30);
    const picture = await render({ url: dataUrl(gap('100vh') + inner, STYLE), full_page: true });
    expect(picture.height).toBe(720 + 30 * 140);
    expectAll(picture, [0, 720 + 29 * 140 + 50, 1280, 40], GREEN);
    expectAll(picture, [0, 720 + 29 * 140, 1280, 50], BLUE);
  });
});

describe('what shows itself when it is scrolled to', () => {
  const REVEAL =
    '<style>.r{height:200px;width:300px;background:red;opacity:0}.r.in{opacity:1}</style><script>addEventListener("DOMContentLoaded",()=>{const o=new IntersectionObserver((l)=>{for(const e of l)e.target.classList.toggle("in",e.isIntersecting)});for(const e of document.querySelectorAll(".r"))o.observe(e)})</script>';
  const TIMELINE =
    '<style>@keyframes show{from{opacity:0}20%,to{opacity:1}}.r{height:200px;width:300px;background:red;animation:show linear both;animation-timeline:view();animation-range:entry}</style>';

  it.each([
    ['an observer', REVEAL],
    ['a view timeline', TIMELINE],
  ])('an element, by %s', async (_, head) => {
    const url = dataUrl(`${gap(2000)}<div class="r"></div>${gap(2000)}`, head);
    expectAll(await render({ url, image_selector: '.r' }), [0, 0, 300, 200], RED);
  });

  it.each([
    ['an observer', REVEAL],
    ['a view timeline', TIMELINE],
  ])('parts of an element that is higher than the viewport, by %s', async (_, head) => {
    const url = dataUrl(`${gap(2000)}<main>${`<div class="r"></div>${gap(500)}`.repeat(3)}</main>${gap(2000)}`, head);
    const picture = await render({ url, image_selector: 'main' });
    for (const top of [0, 700, 1400]) expectAll(picture, [0, top, 300, 200], RED);
  });

  it('a full page with a block as high as the viewport, by a view timeline', async () => {
    const picture = await render({ url: dataUrl(`${gap('100vh')}${gap(500)}<div class="r"></div>${gap(900)}`, TIMELINE), full_page: true });
    expectAll(picture, [0, 1220, 300, 200], RED);
  });
});

describe('a page that scrolls in a box', () => {
  const shell = (inner: string, box = 'flex:1') =>
    dataUrl(
      `<header style="height:60px;background:blue"></header><main style="overflow-y:auto;min-height:0;${box}">${inner}</main>`,
      '<style>html,body{height:100vh;overflow:hidden}body{display:flex;flex-direction:column}</style>',
    );
  const LONG = '<div id="art" style="height:1500px;width:600px;background:linear-gradient(red 750px,green 750px)"></div>';

  it('an element that is longer than the box, which grows with the viewport', async () => {
    const picture = await render({ url: shell(gap(400) + LONG + gap(300)), image_selector: '#art' });
    expect([picture.width, picture.height]).toEqual([600, 1500]);
    expectAll(picture, [0, 0, 600, 740], RED);
    expectAll(picture, [0, 760, 600, 740], GREEN);
  });

  it('a row that hangs over its box by its margins is no larger than it', async () => {
    const row = '<div id="row" style="margin:0 -10px;height:100px;background:red"></div>';
    const picture = await render({ url: shell(row, 'flex:1;padding:0 15px'), image_selector: '#row' });
    expect([picture.width, picture.height]).toEqual([1270, 100]);
    expectAll(picture, [0, 0, 1270, 100], RED);
    await expect(render({ url: shell(row), image_selector: '#row' })).resolves.toMatchObject({ width: 1300 });
  });

  it('an element that fits the box', async () => {
    const picture = await render({
      url: shell(`${gap(900)}<p id="it" style="height:300px;margin:0;background:red"></p>`),
      image_selector: '#it',
    });
    expectAll(picture, [0, 0, 1280, 300], RED);
  });

  it('an element that is longer than a box which keeps its size is cropped as the box crops it', async () => {
    const picture = await render({ url: shell(LONG, 'flex:0 0 400px'), image_selector: '#art' });
    expect([picture.width, picture.height]).toEqual([600, 400]);
    expectAll(picture, [0, 0, 600, 400], RED);
  });
});
