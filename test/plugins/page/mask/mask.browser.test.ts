import { isPlatenError } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import dom from '@platen/plugin-dom';
import html from '@platen/plugin-html';
import mask from '@platen/plugin-mask';
import png from '@platen/plugin-png';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { block, BLUE, decodePicture, GREEN, page, type Picture, RED, WHITE, YELLOW } from '../../capture/pictures.js';

const PINK = [255, 0, 255];
const AT = 'width:100px;height:100px;background:blue;';
/** In a frame of its own. */
const FRAME = page(`<b style="${AT}display:block;margin:20px"></b>`);

let host: TestKernel;
let site: Site;
beforeAll(async () => {
  host = createTestKernel({ plugins: [mask, screenshot, png, target, wait, dom, html] });
  site = await openSite({
    '/': () =>
      page(`<style>div, x-open { display: none !important } ::backdrop { display: none } b, i { position: absolute; ${AT} }</style>
        <b style="left:0;top:0"></b><i style="left:100px;top:0"></i>
        <b style="left:200px;top:0;z-index:2147483647;transform:scale(0.5)"></b>
        <iframe src=/frame style="position:absolute;left:300px;top:0;border:0;width:200px;height:150px"></iframe>
        <iframe src="${site.url('/frame', 'localhost')}" style="position:absolute;left:500px;top:0;border:0;width:200px;height:150px"></iframe>
        <section id=host style="position:absolute;left:700px;top:0"></section><dialog style="left:800px;top:0;margin:0;padding:0;border:0;${AT}"><b></b></dialog>
        <script>host.attachShadow({ mode: 'open' }).innerHTML = '<b style="position:absolute;${AT}"></b>'; document.querySelector('dialog').showModal()</script>`),
    '/frame': FRAME,
    '/tall': page(
      `<b style="position:absolute;left:0;top:2500px;${AT}"></b><b style="position:absolute;left:200px;top:0;height:3000px;width:9px;background:yellow"></b>${block('top:2999px;width:1px;height:1px')}`,
    ),
    '/scrolled': page(
      `<b style="position:absolute;left:0;top:2500px;${AT}"></b>${block('top:2999px;width:1px;height:1px')}<script>scrollTo(0, 2400)</script>`,
    ),
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function picture(path: string, params: object): Promise<Picture> {
  const { bytes } = await host.render({ url: site.url(path), output_type: 'png', ...params });
  return decodePicture(await bytes());
}

const colour = ({ at }: Picture, x: number, y: number) => at(x, y).slice(0, 3);

it('covers every match in all frames and open shadow trees, above everything, and nothing else', async () => {
  const shown = await picture('/', { mask: ['b', '.missing'] });
  const places = [
    [50, 50, PINK],
    [150, 50, BLUE],
    [210, 50, WHITE],
    [250, 50, PINK],
    [310, 50, WHITE],
    [370, 70, PINK],
    [570, 70, PINK],
    [750, 50, PINK],
    [850, 50, PINK],
  ] as const;
  expect(places.map(([x, y]) => colour(shown, x, y))).toEqual(places.map(([, , wanted]) => wanted));
});

it.each([
  ['full_page', { full_page: true }, 50, 2550],
  ['full_page, enlarged', { full_page: true, device_scale_factor: 2 }, 100, 5100],
  ['full_page of a page that has scrolled', { full_page: true, javascript: 'scrollTo(0, 500)' }, 50, 2550],
  ['image_clip', { image_clip: '0,2450,200,200' }, 50, 100],
])('%s', async (_name, params, x, y) => {
  const shown = await picture('/tall', { mask: 'b', mask_color: '#008000', ...params });
  expect([colour(shown, x, y), colour(shown, x, y + 60 * (y > 3000 ? 2 : 1))]).toEqual([GREEN, WHITE]);
});

it('image_selector, and a page that has scrolled', async () => {
  const element = await picture('/tall', { mask: 'b', image_selector: 'b' });
  expect([element.width, element.height, colour(element, 50, 50)]).toEqual([100, 100, PINK]);
  const viewport = await picture('/scrolled', { mask: 'b', mask_color: '#ff0000' });
  // It ends at 3000: 2280 are above the viewport.
  expect([colour(viewport, 50, 270), colour(viewport, 50, 150)]).toEqual([RED, WHITE]);
});

it('without a match, the picture is as it was', async () => {
  const [masked, plain] = [await picture('/tall', { mask: '.none' }), await picture('/tall', {})];
  expect(masked.data.equals(plain.data)).toBe(true);
  expect(colour(plain, 204, 100)).toEqual(YELLOW);
});

describe('400', () => {
  it.each([
    [{ mask: ['b', 'b['] }, '"mask" is not a valid CSS selector: b['],
    [{ mask: 'b', output_type: 'html' }, '"mask" is for still images'],
    [{ mask_color: '#000000' }, '"mask_color" needs "mask"'],
    [{ mask: 'b', mask_color: 'red' }, '"mask_color" must be a hexadecimal color'],
  ])('%j: %s', async (params, words) => {
    const failure: unknown = await host.render({ url: site.url('/frame'), output_type: 'png', ...params }).catch((error: unknown) => error);
    expect(isPlatenError(failure) && failure.status).toBe(400);
    expect(String(failure)).toContain(words);
  });
});
