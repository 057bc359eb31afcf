import { afterAll, describe, expect, it } from 'vitest';
import { block, BLUE, GREEN, isColour, page, RED, WHITE, YELLOW } from '../pictures.js';
import { createVideoKernel, dataUrl, readVideo } from './videos.js';

const host = createVideoKernel();
afterAll(() => host[Symbol.asyncDispose]());

const ANIMATION = { output_type: 'test-animation', image_duration: 0.4 };
const VIDEO = { output_type: 'test-video', video_duration: 0.2, video_framerate: 10 };

async function film(params: Readonly<Record<string, unknown>>) {
  return readVideo(await host.render(params));
}

/** Four quarters of the viewport. */
const QUARTERS = dataUrl(
  page(
    block('left:0;top:0;width:50vw;height:50vh;background:red') +
      block('left:50vw;top:0;width:50vw;height:50vh;background:green') +
      block('left:0;top:50vh;width:50vw;height:50vh;background:blue') +
      block('left:50vw;top:50vh;width:50vw;height:50vh;background:yellow'),
  ),
);

const FRAMED = 'width:300px;height:200px;background:red;box-shadow:inset 0 0 0 10px green';

describe('a scale below 1', () => {
  it('an element is filmed in its own place and size', async () => {
    const url = dataUrl(page(block(`left:100px;top:60px;width:300px;height:200px;background:red`), '<style>body{background:blue}</style>'));
    const { said, frame } = await film({ url, ...ANIMATION, view_scale: 0.2, image_selector: 'div' });
    expect(said).toMatchObject({ width: 60, height: 40 });
    const { at } = await frame(1);
    for (const [x, y] of [
      [1, 1],
      [58, 1],
      [1, 38],
      [58, 38],
    ] as const)
      expect(isColour(at(x, y), RED)).toBe(true);
  });

  it('a film of the full page has the height of the page', async () => {
    const url = dataUrl(page('<div style="height:3000px;background:red"></div>'));
    const { said } = await film({ url, ...ANIMATION, view_scale: 0.2, full_page: true });
    expect(said).toMatchObject({ width: 256, height: 600 });
  });

  it.each([0.5, 0.75, 0.9])('borders take no more of the layout: %f', async (view_scale) => {
    const cards = '<p></p>'.repeat(4);
    const style =
      '<style>div{width:1208px;background:red}p{float:left;margin:0;width:300px;height:100px;border:1px solid blue;background:blue}</style>';
    const { frame } = await film({ url: dataUrl(page(`<div>${cards}</div>`, style)), ...ANIMATION, view_scale });
    const { at } = await frame(1);
    const shown = [150, 450, 750, 1060].map((x) => isColour(at(Math.round(x * view_scale), Math.round(50 * view_scale)), BLUE, 8));
    expect(shown).toEqual([true, true, true, true]);
  });
});

describe('an element that slides in as it is scrolled to', () => {
  const slides = dataUrl(
    page(
      `<div style="height:2000px"></div><div id=it style="width:200px;height:100px;background:red;transform:translateX(400px);transition:transform .8s linear"></div><div style="height:2000px"></div>
      <script>new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting) it.style.transform = 'none' }).observe(it)</script>`,
    ),
  );

  it('is filmed where it comes to rest', async () => {
    const { said, raw, frame } = await film({ url: slides, ...ANIMATION, image_duration: 1.6, image_selector: '#it' });
    expect(said).toMatchObject({ width: 200, height: 100 });
    for (const index of [0, raw.length - 1]) {
      const { at } = await frame(index);
      expect([5, 100, 195].map((x) => isColour(at(x, 50), RED))).toEqual([true, true, true]);
    }
  });
});

describe('size and colours', () => {
  it.each([
    [{}, 1280, 720],
    [{ view_scale: 2 }, 2560, 1440],
    [{ view_scale: 1.5, view_width: 801, view_height: 603 }, 1202, 905],
    [{ view_width: 375, view_height: 667, view_scale: 2, view_mobile: true }, 750, 1334],
    [{ view_scale: 0.49, view_width: 301, view_height: 201 }, 148, 99],
    [{ view_scale: 0.3, view_width: 303, view_height: 201 }, 91, 61],
    [{ view_scale: 0.1, view_width: 301, view_height: 201 }, 31, 21],
    [{ view_scale: 0.25, image_width: 640 }, 640, 360],
    [{ image_width: 640 }, 640, 360],
    [{ image_height: 90 }, 160, 90],
    [{ image_width: 300, image_height: 300 }, 300, 300],
  ])('an animation with %j is %i x %i pixels, exact to the pixel', async (params, width, height) => {
    const { said, raw, frame } = await film({ url: QUARTERS, ...ANIMATION, ...params });
    expect(said).toMatchObject({ width, height, format: 'png', frameCount: 2 });
    expect(raw).toHaveLength(2);
    const { at } = await frame(1);
    expect(isColour(at(3, 3), RED)).toBe(true);
    expect(isColour(at(width - 4, 3), GREEN)).toBe(true);
    expect(isColour(at(3, height - 4), BLUE)).toBe(true);
    expect(isColour(at(width - 4, height - 4), YELLOW)).toBe(true);
  });

  it('is cropped alike on both sides, and from the top, where the ratio is another', async () => {
    const { said } = await film({ url: QUARTERS, ...VIDEO, video_width: 360, video_height: 360 });
    expect(said).toMatchObject({ width: 360, height: 360, format: 'jpeg', crop: { x: 280, y: 0, width: 720, height: 720 } });
    const wide = await film({ url: QUARTERS, ...VIDEO, video_width: 1280, video_height: 200 });
    expect(wide.said).toMatchObject({ crop: { x: 0, y: 0, width: 1280, height: 200 } });
  });

  it('a page that never changes has all its frames', async () => {
    const { raw, frame } = await film({ url: dataUrl(page('')), ...VIDEO, video_duration: 1 });
    expect(raw).toHaveLength(10);
    expect(isColour((await frame(9)).at(5, 5), WHITE)).toBe(true);
  });
});

describe('video_selector and image_selector', () => {
  it.each([
    ['in sight', 'left:100px;top:60px'],
    ['below the viewport', 'left:100px;top:5000px'],
    ['right of the viewport', 'left:4000px;top:10px'],
    ['half out of the viewport', 'left:1200px;top:600px'],
  ])('shows an element %s and nothing else', async (_, place) => {
    const { said, frame } = await film({
      url: dataUrl(page(`<body style="background:blue">${block(`${place};${FRAMED}`)}`)),
      ...ANIMATION,
      image_selector: 'div',
    });
    expect(said).toMatchObject({ width: 300, height: 200, crop: { width: 300, height: 200 } });
    const { at } = await frame(1);
    for (const [x, y] of [
      [0, 0],
      [299, 0],
      [0, 199],
      [299, 199],
    ] as const)
      expect(isColour(at(x, y), GREEN)).toBe(true);
    expect(isColour(at(12, 12), RED)).toBe(true);
  });

  it('keeps to the rectangle that the element had at the start', async () => {
    const html = `<style>@keyframes away{to{transform:translate(600px,300px)}}</style><body style="background:blue">${block('left:10px;top:10px;width:100px;height:100px;background:red;animation:away 1s linear forwards 0.5s')}`;
    const { said, raw, frame } = await film({
      url: dataUrl(page(html)),
      output_type: 'test-video',
      video_duration: 3,
      video_framerate: 5,
      video_selector: 'div',
    });
    expect(said).toMatchObject({ width: 100, height: 100 });
    expect(raw).toHaveLength(15);
    expect(isColour((await frame(14)).at(50, 50), BLUE, 8)).toBe(true);
  });

  it('shows an element that is larger than the viewport, in device pixels', async () => {
    const url = dataUrl(page(block('left:0;top:0;width:1500px;height:1000px;background:linear-gradient(red 500px,blue 500px)')));
    const { said, frame } = await film({ url, ...ANIMATION, image_selector: 'div', view_scale: 2 });
    expect(said).toMatchObject({ width: 3000, height: 2000 });
    const { at } = await frame(1);
    expect(isColour(at(2999, 990), RED)).toBe(true);
    expect(isColour(at(2999, 1999), BLUE)).toBe(true);
  });

  it.each([
    ['matches nothing', '#missing', { code: 'selector_not_found', status: 422 }],
    ['matches an element without area', '#hidden', { code: 'selector_empty', status: 422 }],
    ['is no selector', 'p[', { code: 'invalid_parameters', status: 400 }],
    ['is empty', '', { code: 'invalid_parameters', status: 400 }],
  ])('is refused where it %s', async (_, video_selector, error) => {
    const url = dataUrl('<p id="hidden" style="display:none">hidden</p>');
    await expect(film({ url, ...VIDEO, video_selector })).rejects.toMatchObject(error);
  });

  it('shows an element that is fixed partly below the viewport', async () => {
    const url = dataUrl(page(`<div style="position:fixed;left:50px;top:600px;${FRAMED}"></div>`));
    const { said, frame } = await film({ url, ...ANIMATION, image_selector: 'div' });
    expect(said).toMatchObject({ width: 300, height: 200 });
    const { at } = await frame(1);
    for (const y of [0, 199]) expect(isColour(at(150, y), GREEN)).toBe(true);
    expect(isColour(at(150, 150), RED)).toBe(true);
  });

  it('an element that keeps out of the viewport is refused, with what to do', async () => {
    const url = dataUrl(page(`<div style="position:fixed;left:50px;bottom:-80px;${FRAMED}"></div>`));
    const refusal = film({ url, ...ANIMATION, image_selector: 'div' });
    await expect(refusal).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
    await expect(refusal).rejects.toThrow(/request a smaller element, an element inside it, or the whole page/);
  });

  it('shows an element that is longer than the box it is scrolled in, as a picture does', async () => {
    const shell = '<style>html,body{height:100vh;overflow:hidden}main{height:calc(100vh - 60px);overflow-y:auto}</style>';
    const art = '<div id="art" style="width:600px;height:1200px;background:linear-gradient(red 600px,green 600px)"></div>';
    const url = dataUrl(page(`<header style="height:60px"></header><main>${art}<p style="height:500px"></p></main>`, shell));
    const { said, frame } = await film({ url, ...ANIMATION, image_selector: '#art' });
    expect(said).toMatchObject({ width: 600, height: 1200 });
    const { at } = await frame(1);
    for (const [y, colour] of [
      [2, RED],
      [590, RED],
      [610, GREEN],
      [1197, GREEN],
    ] as const)
      expect(isColour(at(300, y), colour)).toBe(true);
  });

  it.each([
    ['written from left to right', ''],
    ['written from right to left', '<html dir="rtl">'],
  ])('has the size of a picture on a page that its device draws small, %s', async (_, html) => {
    const wide = '<meta name="viewport" content="width=device-width"><style>body{width:3000px;height:2000px;background:blue}</style>';
    const url = dataUrl(html + page(`<div style="margin:300px;${FRAMED}"></div>`, wide));
    const { said, frame } = await film({
      url,
      ...ANIMATION,
      image_selector: 'div',
      ...{ view_width: 393, view_height: 852, view_scale: 2, view_mobile: true },
    });
    expect(said).toMatchObject({ width: 600, height: 400 });
    const { at } = await frame(1);
    for (const [x, y, colour] of [
      [2, 2, GREEN],
      [597, 397, GREEN],
      [30, 30, RED],
      [570, 370, RED],
    ] as const)
      expect(isColour(at(x, y), colour)).toBe(true);
  });

  it('the first frame shows an element that moves where it was measured', async () => {
    const html =
      '<body style="background:blue"><div style="position:absolute;top:50px;left:0;width:60px;height:60px;background:red"></div><script>const box=document.querySelector("div");const t=performance.now();(function go(now){box.style.left=((now??t)-t)*0.4%900+"px";requestAnimationFrame(go)})()</script>';
    const { said, frame } = await film({ url: dataUrl(page(html)), ...ANIMATION, image_selector: 'div' });
    expect(said).toMatchObject({ width: 60, height: 60, method: 'deterministic' });
    const { at } = await frame(0);
    for (const x of [1, 30, 58]) expect(isColour(at(x, 30), RED)).toBe(true);
  });

  it('is refused where an element is too large to be filmed', async () => {
    const url = dataUrl(page(block('left:0;top:0;width:300px;height:60000px;background:red')));
    await expect(film({ url, ...VIDEO, video_selector: 'div' })).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
  });
});

describe('full_page', () => {
  it('shows the whole page in every frame', async () => {
    const tall = '<div style="height:1500px;background:red"></div><div style="height:1000px;background:blue"></div>';
    const { said, frame } = await film({ url: dataUrl(page(tall)), ...ANIMATION, full_page: true });
    expect(said).toMatchObject({ width: 1280, height: 2500, sourceHeight: 2500 });
    const { at } = await frame(1);
    expect(isColour(at(1279, 1499), RED)).toBe(true);
    expect(isColour(at(0, 2499), BLUE)).toBe(true);
  });

  it.each([
    ['100vh', 1],
    ['100vh', 2],
    ['50vh', 1],
  ])('keeps %s the height of the browser at scale %i, as a picture does, and shows all that is below', async (height, view_scale) => {
    const hero = `<div style="height:${height};background:red"></div>`;
    const below = '<div style="height:5000px;background:blue"></div><div style="height:300px;background:green"></div>';
    const url = dataUrl(page(hero + below));
    const high = { '100vh': 720, '50vh': 360 }[height] ?? NaN;
    const params = view_scale === 1 ? {} : { view_scale, view_width: 500 };
    const { said, frame } = await film({ url, ...VIDEO, ...params, full_page: true });
    expect([said.width, said.height]).toEqual([(view_scale === 1 ? 1280 : 500) * view_scale, (high + 5300) * view_scale]);
    const { at } = await frame(1);
    for (const [y, colour] of [
      [high - 5, RED],
      [high + 5, BLUE],
      [high + 4995, BLUE],
      [high + 5005, GREEN],
      [high + 5295, GREEN],
    ] as const)
      expect(isColour(at(9, y * view_scale), colour, 8)).toBe(true);
  });

  it('shows what is painted only in view on a page with a block as high as the viewport', async () => {
    const style = '<style>section{content-visibility:auto;background:blue}section div{height:600px;background:red}</style>';
    const url = dataUrl(page(`<div style="height:100vh"></div>${'<section><div></div></section>'.repeat(4)}`, style));
    const { said, frame } = await film({ url, ...ANIMATION, full_page: true });
    expect(said).toMatchObject({ width: 1280, height: 720 + 2400 });
    const { at } = await frame(1);
    for (const y of [725, 1400, 2000, 3115]) expect(isColour(at(600, y), RED)).toBe(true);
  });

  it('refuses a page that is too high to be filmed, and a film that its format does not hold', async () => {
    const url = dataUrl(page('<div style="height:60000px"></div>'));
    await expect(film({ url, ...VIDEO, full_page: true })).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
    const high = dataUrl(page('<div style="height:4001px"></div>'));
    await expect(film({ url: high, ...ANIMATION, full_page: true })).rejects.toThrow(/test-animation supports at most 4000 x 4000/);
  });
});
