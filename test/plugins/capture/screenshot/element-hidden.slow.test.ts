import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { dataUrl, decodePicture, expectColumn, isColour, RED, YELLOW, type Picture } from '../pictures.js';

const host = createTestKernel({ plugins: [pixels, png] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(body: string, head = '', fragment = '') {
  const params = { url: `${dataUrl(body, head)}${fragment}`, image_selector: '#it', timeout: 90 };
  return decodePicture(await (await host.render(params)).bytes());
}

function expectAll({ width, height, at }: Picture, colour: readonly number[], size: readonly [number, number]): void {
  expect([width, height]).toEqual(size);
  for (const [x, y] of [
    [0, 0],
    [width - 1, 0],
    [width >> 1, height >> 1],
    [0, height - 1],
    [width - 1, height - 1],
  ] as const)
    expect(isColour(at(x, y), colour), `at ${String(x)}, ${String(y)}`).toBe(true);
}

const slides = (style: string, track: string) =>
  `<div style="width:300px;height:200px;${style}"><div style="display:flex;width:900px;${track}">${['yellow', 'blue', 'red']
    .map((colour) => `<div style="width:300px;height:200px;background:${colour}"${colour === 'red' ? ' id="it"' : ''}></div>`)
    .join('')}</div></div>`;

describe('an element that the page hides', () => {
  it.each([
    ['the third slide of a row', slides('overflow:hidden', '')],
    ['a slide of a row that was moved', slides('overflow:hidden', 'transform:translateX(-300px)')],
    ['a slide in a box beyond the first screen', `<div style="height:2000px"></div>${slides('overflow:hidden', '')}`],
    [
      'the last line of a folded text',
      '<div style="height:200px;overflow:hidden"><div style="height:500px"></div><div id="it" style="width:300px;height:200px;background:red"></div></div>',
    ],
    [
      'one that appears when it is in view',
      `<div style="height:2000px"></div><div id="it" style="opacity:0;width:300px;height:200px;background:red"></div>
      <script>addEventListener('scroll', () => setTimeout(() => { it.style.opacity = 1 }, 400))</script>`,
    ],
  ])('is scrolled into view, or appears: %s', async (_name, body) => {
    expectAll(await render(body), RED, [300, 200]);
  });

  it.each([
    ['a slide that has passed', slides('overflow:hidden', 'transform:translateX(-900px)')],
    ['a slide in a box that does not scroll', slides('overflow:clip', '')],
    [
      'a slide that is transparent',
      '<div style="position:absolute;background:blue;width:300px;height:200px"></div><div style="opacity:0"><div id="it" style="width:300px;height:200px;background:red"></div></div>',
    ],
    ['a slide that is not visible', '<div id="it" style="visibility:hidden;width:300px;height:200px;background:red"></div>'],
  ])('is refused with the reason: %s', async (_name, body) => {
    await expect(render(body)).rejects.toMatchObject({
      status: 422,
      code: 'selector_empty',
      message: expect.stringContaining('the page hides'),
    });
  });

  it.each([
    [
      'with a visible part',
      '<div id="it" style="visibility:hidden;width:300px;height:200px;background:red"><div style="visibility:visible;height:200px;background:red"></div></div>',
    ],
    [
      'in an inline box',
      '<span style="overflow:hidden"><div style="position:absolute;top:50px"><div id="it" style="width:300px;height:200px;background:red"></div></div></span>',
    ],
    [
      'placed by a box outside of the one that clips',
      '<div style="overflow:hidden;height:10px"><div id="it" style="position:absolute;top:90px;width:300px;height:200px;background:red"></div></div>',
    ],
  ])('but not one that is shown: %s', async (_name, body) => {
    expectAll(await render(body), RED, [300, 200]);
  });
});

describe('an element while the page scrolls smoothly to its fragment', () => {
  const SMOOTH = '<style>:root{scroll-behavior:smooth}section{height:1500px}</style>';
  it.each([
    [
      'that sticks',
      '<nav id="it" style="position:sticky;top:0;height:40px;background:red"></nav><section></section><section></section><section id="end"></section>',
    ],
    [
      'that is fixed',
      '<section></section><section></section><section id="end"></section><b id="it" style="position:fixed;left:200px;top:100px;width:50px;height:50px;background:red"></b>',
    ],
    [
      'that leaves the view',
      '<b id="it" style="display:block;height:300px;background:red"></b><section></section><section></section><section id="end"></section>',
    ],
  ])('is whole: %s', async (_name, body) => {
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const picture = await render(body, SMOOTH, '#end');
      expectAll(picture, RED, [picture.width, picture.height]);
    }
  });
});

it('an element that grows is captured in one of its sizes, as a whole', async () => {
  const script = `<script>const grow = (i) => { it.style.cssText = 'display:block;width:' + (40 + 20 * i) + 'px;height:' + (20 + 10 * i) + 'px;background:' + (i % 2 ? 'red' : 'yellow') };
    addEventListener('load', () => { for (let i = 1; i <= 12; i += 1) setTimeout(grow, 35 * i, i) })</script>`;
  for (let repeat = 0; repeat < 6; repeat += 1) {
    const picture = await render(`<b id="it" style="display:block;width:40px;height:20px;background:yellow"></b>${script}`);
    expectColumn(picture, picture.width - 1, [picture.height, (picture.width / 20) % 2 === 0 ? YELLOW : RED]);
  }
});
