import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { BLUE, dataUrl, decodePicture, isColour, RED, type Picture } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(html: string, params: Readonly<Record<string, unknown>> = {}): Promise<Picture> {
  return decodePicture(await (await host.render({ url: dataUrl(html), image_selector: '#it', ...params })).bytes());
}

/** Left, top, right and bottom of what is wholly red. */
function redIn({ width, height, data }: Picture): readonly number[] {
  const columns = Array.from({ length: width }, (_, x) => Array.from({ length: height }, (__, y) => data[(y * width + x) * 4] === 255));
  const rows = Array.from({ length: height }, (_, y) => columns.map((column) => column[y] === true));
  const isRed = (line: readonly boolean[]) => line.includes(true);
  return [columns.findIndex(isRed), rows.findIndex(isRed), columns.findLastIndex(isRed) + 1, rows.findLastIndex(isRed) + 1];
}

const box = (css: string) => `<div id="it" style="position:absolute;background:red;${css}"></div>`;
const onBlue = (html: string) => `<body style="background:blue">${html}`;

describe('image_selector, its place to the pixel', () => {
  // Sizes in CSS pixels: of the element, and of what the browser paints of it at scale 1. It rounds both ends of a box to whole device pixels.
  const boxes = [
    ['a fractional place', box('left:10.3px;top:20.7px;width:40px;height:40px'), [40, 40], [40, 40]],
    ['a place of halves', box('left:10.5px;top:20.5px;width:40px;height:40px'), [40, 40], [40, 40]],
    ['a fractional place and size', box('left:10.4px;top:20.6px;width:100.3px;height:50.7px'), [100.3, 50.7], [101, 50]],
    ['an odd place', box('left:11px;top:21px;width:33px;height:33px'), [33, 33], [33, 33]],
    ['fixed', box('position:fixed;right:10.3px;bottom:7.7px;width:40.2px;height:40.6px'), [40.2, 40.6], [40, 40]],
    ['below the fold', box('left:10.4px;top:3020.6px;width:100.3px;height:50.7px'), [100.3, 50.7], [101, 50]],
    ['shifted by a transform', box('left:10.4px;top:20.6px;width:40px;height:40px;transform:translate(6px,-3px)'), [40, 40], [40, 40]],
    ['turned', box('left:51px;top:51px;width:40px;height:60px;transform:rotate(90deg)'), [60, 40], [60, 40]],
    [
      'scrolled inside a box',
      `<section style="width:200.5px;height:200.5px;overflow:auto;margin:3.3px"><p style="height:900.3px;margin:0"></p>${box('position:static;width:60.3px;height:50.6px;margin-left:2.7px')}<p style="height:900px"></p></section>`,
      [60.3, 50.6],
      [60, 50],
    ],
    [
      'drawn in an svg that begins within a pixel',
      '<svg style="position:absolute;left:10.4px;top:10.4px" width="100" height="100"><rect id="it" x="10" y="10" width="40" height="40" fill="red"/></svg>',
      [40, 40],
      [40, 40],
    ],
  ] as const;
  const scales = [1, 2, 3];

  it.each(boxes.flatMap((row) => scales.map((scale) => [...row, scale] as const)))(
    'begins with the first painted pixel: %s (%o is %o css pixels %o, scale %i)',
    async (_, html, [width, height], painted, scale) => {
      const picture = await render(onBlue(html), { view_scale: scale });
      expect([picture.width, picture.height]).toEqual([Math.ceil(width * scale), Math.ceil(height * scale)]);
      const [left, top, right = 0, bottom = 0] = redIn(picture);
      expect([left, top]).toEqual([0, 0]);
      if (scale === 1) expect([right, bottom]).toEqual([Math.min(picture.width, painted[0]), Math.min(picture.height, painted[1])]);
      // At the far ends no more than one device pixel is missing, of what is counted up or was rounded.
      else expect(Math.max(picture.width - right, picture.height - bottom)).toBeLessThanOrEqual(1);
    },
  );

  it('shows no more than a part of a pixel beside the element at a fractional scale', async () => {
    const picture = await render(onBlue(box('left:11px;top:21px;width:40px;height:40px')), { view_scale: 1.5 });
    expect([picture.width, picture.height]).toEqual([60, 60]);
    const [left = 9, top = 9, right = 0, bottom = 0] = redIn(picture);
    expect(Math.max(left, top, 60 - right, 60 - bottom)).toBeLessThanOrEqual(1);
  });
});

describe('image_selector of what nobody can scroll to', () => {
  const tall = '<p style="height:3000px">text</p>';

  it.each([
    ['starts left of the page and above it', box('left:-20.5px;top:-10.25px;width:60px;height:50px'), [60, 50]],
    ['starts left of the page', box('left:-20.4px;top:30px;width:60px;height:50px'), [60, 50]],
    ['starts above the page', box('left:30px;top:-21px;width:40px;height:40px'), [40, 40]],
    ['is larger than the page on all sides', box('left:-10px;top:-50px;width:1300px;height:1500px'), [1300, 1500]],
    ['is a fixed menu that waits out of sight', `${tall}${box('position:fixed;left:-300px;width:280px;top:0;bottom:0')}`, [280, 720]],
    [
      'is a fixed menu that is shifted out of sight',
      `${tall}${box('position:fixed;left:0;width:280px;top:0;bottom:0;transform:translateX(-100%)')}`,
      [280, 720],
    ],
  ] as const)('shows all of an element that %s', async (_, html, size) => {
    for (const scale of [1, 2]) {
      const picture = await render(onBlue(html), { view_scale: scale });
      expect([picture.width, picture.height]).toEqual(size.map((side) => side * scale));
      expect(redIn(picture)).toEqual([0, 0, picture.width, picture.height]);
    }
  });

  it('shows an element that never stops turning in the corner of the page', async () => {
    const turning = '<style>@keyframes turn{to{transform:rotate(360deg)}}</style>';
    const picture = await render(`${turning}${box('left:0;top:0;width:50px;height:50px;animation:turn 0.1s linear infinite')}`);
    expect(Math.min(picture.width, picture.height)).toBeGreaterThanOrEqual(50);
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(71);
  });

  it('is refused where an element keeps out of sight, whatever is done', async () => {
    const away = `<style>:root{translate:-2000px 0 !important}</style>`;
    await expect(
      render(`${away}${box('left:0;top:0;width:10px;height:10px')}<script>
      document.documentElement.style.setProperty('translate', '-2000px 0', 'important')</script>`),
    ).rejects.toMatchObject({
      code: 'selector_empty',
      status: 422,
    });
  });
});

describe('a page that is written from right to left and wider than its viewport', () => {
  const wide = `<html dir="rtl">${onBlue(
    `<div style="width:3000px;height:100px;background:linear-gradient(to left,red 500px,blue 500px)"></div>${box('left:-900px;top:150px;width:300px;height:50px')}`,
  )}`;

  it('shows an element to which it scrolls, left of where it begins', async () => {
    const picture = await render(wide, { view_scale: 2 });
    expect([picture.width, picture.height]).toEqual([600, 100]);
    expect(redIn(picture)).toEqual([0, 0, 600, 100]);
  });

  it.each([
    ['as it is', {}, 1280],
    ['in another size', { image_width: 640 }, 640],
    ['as a whole', { full_page: true }, 1280],
    ['as a whole in another size', { full_page: true, image_width: 640 }, 640],
  ])('shows where it begins: %s', async (_, params, width) => {
    const { at } = await render(`${wide}<p style="height:2000px">`, { image_selector: null, ...params });
    expect(isColour(at(width - 2, 20), RED)).toBe(true);
    expect(isColour(at(Math.round(0.5 * width), 20), BLUE)).toBe(true);
  });
});
