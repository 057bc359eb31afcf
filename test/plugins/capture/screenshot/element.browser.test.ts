import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { block, BLUE, dataUrl, decodePicture, GREEN, isColour, page, RED, svg } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render(params);
  return decodePicture(await result.bytes());
}

const FRAMED = 'width:300px;height:200px;background:red;box-shadow:inset 0 0 0 10px green';

/** Whether a picture holds the framed box and nothing else. */
function expectFramed({ width, height, at }: Awaited<ReturnType<typeof render>>, scale: number) {
  expect([width, height]).toEqual([300 * scale, 200 * scale]);
  for (const [x, y] of [
    [0, 0],
    [width - 1, 0],
    [0, height - 1],
    [width - 1, height - 1],
  ] as const)
    expect(isColour(at(x, y), GREEN)).toBe(true);
  expect(isColour(at(Math.round(width / 2), Math.round(height / 2)), RED)).toBe(true);
  expect(isColour(at(Math.round(12 * scale), Math.round(12 * scale)), RED)).toBe(true);
}

describe('image_selector', () => {
  it.each([0.5, 1, 1.5, 2, 3])('crops to the element, exactly, at scale %f', async (view_scale) => {
    const url = dataUrl(`<body style="background:blue">${block(`left:100px;top:60px;${FRAMED}`)}`);
    expectFramed(await render({ url, image_selector: 'div', view_scale }), view_scale);
  });

  it.each([
    ['below the viewport', 'left:100px;top:5000px'],
    ['right of the viewport', 'left:4000px;top:10px'],
    ['half out of the viewport', 'left:1200px;top:600px'],
  ])('finds an element %s', async (_, place) => {
    const url = dataUrl(`<body style="background:blue">${block(`${place};${FRAMED}`)}`);
    expectFramed(await render({ url, image_selector: 'div' }), 1);
  });

  it('finds an element that is larger than the viewport', async () => {
    const url = dataUrl(block('left:0;top:0;width:1500px;height:3000px;background:linear-gradient(red 1500px,blue 1500px)'));
    const { width, height, at } = await render({ url, image_selector: 'div' });
    expect([width, height]).toEqual([1500, 3000]);
    expect(isColour(at(1499, 1400), RED)).toBe(true);
    expect(isColour(at(1499, 2999), BLUE)).toBe(true);
  });

  it('shows an element that is scrolled out of a box', async () => {
    const scroller = `<div style="width:500px;height:400px;overflow:auto"><p style="height:900px;margin:0"></p><p id="it" style="margin:0;${FRAMED}"></p><p style="height:900px"></p></div>`;
    expectFramed(await render({ url: dataUrl(`<body style="background:blue">${scroller}`), image_selector: '#it' }), 1);
  });

  it('counts parts of a pixel up, and begins where the browser snaps the box to', async () => {
    const url = dataUrl(`<body style="background:blue">${block('left:10.4px;top:20.6px;width:100.3px;height:50.7px;background:red')}`);
    const { width, height, at } = await render({ url, image_selector: 'div' });
    expect([width, height]).toEqual([101, 51]);
    expect(isColour(at(0, 0), RED)).toBe(true);
    expect(isColour(at(99, 49), RED)).toBe(true);
  });

  it.each([
    [{ image_width: 150 }, [150, 100]],
    [{ image_height: 50 }, [75, 50]],
    [{ image_width: 100, image_height: 100 }, [100, 100]],
    [{ image_width: 600, view_scale: 2 }, [600, 400]],
  ] as const)('is resized by %j', async (params, size) => {
    const url = dataUrl(`<body style="background:blue">${block('left:100px;top:3000px;width:300px;height:200px;background:red')}`);
    const { width, height, at } = await render({ url, image_selector: 'div', ...params });
    expect([width, height]).toEqual(size);
    for (const [x, y] of [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
    ] as const)
      expect(isColour(at(x, y), RED)).toBe(true);
  });

  it('loads the lazy images of an element far down', async () => {
    await using site = await openSite({
      '/': page(
        '<div style="height:9000px"></div><div id="it" style="width:100px;height:100px"><img loading="lazy" width="100" height="100" src="/lazy.svg"></div>',
      ),
      '/lazy.svg': svg('blue'),
    });
    const { at } = await render({ url: site.url('/'), image_selector: '#it' });
    expect(isColour(at(50, 50), BLUE)).toBe(true);
  });

  it('leaves the page where it was scrolled to', async () => {
    const bar = '<div style="position:fixed;inset:0 0 auto 0;height:50px;background:green"></div>';
    const url = dataUrl(`${bar}<body style="background:blue">${block(`left:0;top:2000px;${FRAMED}`)}`);
    expectFramed(await render({ url, image_selector: 'div:nth-of-type(2)' }), 1);
  });

  it.each([
    ['matches nothing', '#missing', { code: 'selector_not_found', status: 422 }],
    ['matches an element without area', '#hidden', { code: 'selector_empty', status: 422 }],
    ['is no selector', 'p[', { code: 'invalid_parameters', status: 400 }],
    ['is empty', '', { code: 'invalid_parameters', status: 400 }],
  ])('is refused where it %s', async (_, image_selector, error) => {
    const url = dataUrl('<p id="hidden" style="display:none">hidden</p>');
    await expect(render({ url, image_selector })).rejects.toMatchObject(error);
  });

  it('excludes full_page', async () => {
    await expect(render({ url: dataUrl('<p>'), image_selector: 'p', full_page: true })).rejects.toMatchObject({
      code: 'invalid_parameters',
      status: 400,
    });
    await expect(render({ url: dataUrl('<p>Text'), image_selector: 'p', full_page: false })).resolves.toMatchObject({ width: 1280 });
  });
});
