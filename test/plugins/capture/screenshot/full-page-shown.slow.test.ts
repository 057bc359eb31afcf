import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { BLUE, dataUrl, decodePicture, expectColumn, GREEN, isColour, RED, YELLOW } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  return decodePicture(await (await host.render({ full_page: true, ...params })).bytes());
}

const gap = (height: number | string, colour: string) =>
  `<div style="height:${typeof height === 'number' ? `${String(height)}px` : height};background:${colour}"></div>`;
const HERO = gap('100vh', 'blue');

describe('a full page waits for what shows itself when it is scrolled to', () => {
  const reveal = (head: string) => `<style>.r{height:300px;background:red;opacity:0}.r.in{opacity:1}${head}</style>
    <script>addEventListener('DOMContentLoaded',()=>{const o=new IntersectionObserver((l)=>{for(const e of l)if(e.isIntersecting)e.target.classList.add('in')});for(const e of document.querySelectorAll('.r'))o.observe(e)})</script>`;
  const rows = '<div class="r"></div>'.repeat(10);

  it('after its second load', async () => {
    const picture = await render({ url: dataUrl(rows, reveal('.r{transition:opacity .4s .2s}')) });
    expectColumn(picture, 600, [3000, RED]);
  });

  it('below a block as high as the viewport', async () => {
    const picture = await render({ url: dataUrl(HERO + rows, reveal('.r{transition:opacity .6s}')) });
    expectColumn(picture, 600, [720, BLUE], [3000, RED]);
  });

  it('in a box that scrolls', async () => {
    const head = reveal('html,body{height:100%}main{height:100vh;overflow:auto}.r{transition:opacity .6s}');
    const picture = await render({ url: dataUrl(`<main>${HERO}${rows}</main>`, head) });
    expectColumn(picture, 600, [720, BLUE], [3000, RED]);
  });

  it('within shadow roots', async () => {
    const script = `<script>for(const at of document.querySelectorAll('x-row')){const root=at.attachShadow({mode:'open'});
      root.innerHTML='<style>div{height:300px;background:red;opacity:0;transition:opacity .6s}div.in{opacity:1}</style><div></div>';
      new IntersectionObserver(([e])=>{if(e.isIntersecting)root.querySelector('div').classList.add('in')}).observe(at)}</script>`;
    const picture = await render({ url: dataUrl(HERO + '<x-row style="display:block"></x-row>'.repeat(10) + script) });
    expectColumn(picture, 600, [720, BLUE], [3000, RED]);
  });

  it('and is as high as the page is then', async () => {
    const head = reveal('.r{transform:translateY(100px);transition:opacity .4s,transform .4s}.r.in{transform:none}');
    expectColumn(await render({ url: dataUrl(rows, head) }), 600, [3000, RED]);
    expectColumn(await render({ url: dataUrl(HERO + rows, head) }), 600, [720, BLUE], [3000, RED]);
  });

  it('but not for what never ends', async () => {
    const head = '<style>@keyframes turn{to{opacity:1}}.r{height:300px;background:red;animation:turn .3s infinite}</style>';
    const picture = await render({ url: dataUrl(HERO + rows, head) });
    expect([picture.width, picture.height]).toEqual([1280, 3720]);
  });
});

describe('backgrounds that are attached to the viewport', () => {
  // A tenth of the box from its end.
  const LINES = 'linear-gradient(red 50%,green 50%) fixed';

  it('are those of their boxes where a full page is captured beyond the viewport', async () => {
    const style = `<style>.bg{height:400px;background:${LINES}}.pseudo{position:relative;height:400px}.pseudo::before{content:"";position:absolute;inset:0;background:${LINES}}</style>`;
    const body = `${HERO}${gap(1000, 'yellow')}<div class="bg"></div>${gap(500, 'yellow')}<div class="pseudo"></div>`;
    const picture = await render({ url: dataUrl(body, style) });
    const bands = [[200, RED] as const, [200, GREEN] as const];
    expectColumn(picture, 600, [720, BLUE], [1000, YELLOW], ...bands, [500, YELLOW], ...bands);
  });

  it('are that of the whole page where they are its own', async () => {
    const body = `<div style="height:100vh"></div><div style="height:3280px"></div>`;
    expectColumn(await render({ url: dataUrl(body, `<style>body{background:${LINES}}</style>`) }), 600, [2000, RED], [2000, GREEN]);
  });

  it('on a page that is higher than what the browser paints of a viewport', async () => {
    const body = `${gap(17_000, 'yellow')}<div style="height:400px;background:${LINES}"></div>`;
    expectColumn(await render({ url: dataUrl(body) }), 600, [17_000, YELLOW], [200, RED], [200, GREEN]);
  });
});

describe('what waits out of sight to be laid out', () => {
  const sections = (guess: number) =>
    dataUrl(
      `${'<section><div></div></section>'.repeat(12)}${gap(100, 'blue')}`,
      `<style>section{content-visibility:auto;contain-intrinsic-size:auto ${String(guess)}px}section div{height:200px;background:red}</style>`,
    );

  it.each([60, 800])('has the height that it has in view, whatever the page guesses: %i pixels', async (guess) => {
    expectColumn(await render({ url: sections(guess) }), 600, [2400, RED], [100, BLUE]);
  });
});

describe('what is animated by its place in the viewport', () => {
  const timeline = (range: string, from = 'opacity:0') =>
    `<style>@keyframes in{from{${from}}to{opacity:1}}.a{height:300px;background:red;animation:in linear both;animation-timeline:view();animation-range:${range}}</style>`;
  const rows = '<div class="a"></div>'.repeat(10);

  it('is shown as in the middle of the viewport, where the page scrolls so far', async () => {
    const { at, height } = await render({ url: dataUrl(rows, timeline('entry 0% cover 40%')) });
    expect(height).toBe(3000);
    const pale = Array.from({ length: 9 }, (_, row) => row).filter((row) => !isColour(at(600, row * 300 + 150), RED));
    expect(pale).toEqual([]);
    // As a user sees the last one at the end of the page.
    const [, last = NaN] = at(600, 2850);
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(128);
  });

  it('below a block as high as the viewport', async () => {
    const picture = await render({ url: dataUrl(HERO + rows, timeline('entry 0% entry 100%')) });
    expectColumn(picture, 600, [720, BLUE], [3000, RED]);
  });

  it('and stands where it has moved to', async () => {
    const cards = `<div class="a"></div>${gap(100, 'yellow')}`.repeat(6);
    const picture = await render({
      url: dataUrl(HERO + gap(800, 'yellow') + cards + gap(800, 'yellow'), timeline('entry', 'translate:0 150px')),
    });
    const pairs = Array.from({ length: 5 }, () => [[300, RED] as const, [100, YELLOW] as const]).flat();
    expectColumn(picture, 600, [720, BLUE], [800, YELLOW], ...pairs, [300, RED], [900, YELLOW]);
  });
});

it.each([
  [1001, 1.25],
  [1003, 1.75],
  [1001, 1.1],
  [20_001, 1.25],
])('ends with a painted row where %i pixels and a foot of 100 end within a device pixel, at scale %f', async (height, view_scale) => {
  const foot = `<style>body{margin:0}</style><div style="height:${String(height)}px"></div><footer style="height:100px;background:blue"></footer>`;
  const picture = await render({ url: dataUrl(foot), view_scale });
  expect(picture.height).toBe(Math.round((height + 100) * view_scale));
  expect(isColour(picture.at(50, picture.height - 1), BLUE)).toBe(true);
});
