import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { afterAll, describe, expect, it } from 'vitest';
import { block, BLUE, dataUrl, decodePicture, GREEN, isColour, RED, WHITE, YELLOW } from '../pictures.js';
import view from '../view-plugin.js';

const host = createTestKernel({ plugins: [pixels, png, view] });
afterAll(() => host[Symbol.asyncDispose]());

const QUARTERS = dataUrl(
  block('left:0;top:0;width:50vw;height:50vh;background:red') +
    block('left:50vw;top:0;width:50vw;height:50vh;background:green') +
    block('left:0;top:50vh;width:50vw;height:50vh;background:blue') +
    block('left:50vw;top:50vh;width:50vw;height:50vh;background:yellow'),
);

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render({ url: QUARTERS, ...params });
  return decodePicture(await result.bytes());
}

describe('natural size', () => {
  it.each([
    [412, 915, 2.625],
    [1366, 768, 1.25],
    [777, 999, 1.333],
  ])(
    'ends with the page, not with its first column and row, where %i x %i at %f is no whole number of pixels',
    async (view_width, view_height, view_scale) => {
      const edges = block('left:0;top:0;bottom:0;width:20px;background:red') + block('left:0;right:0;top:0;height:20px;background:blue');
      const { width, height, at } = await render({ url: dataUrl(edges), view_width, view_height, view_scale });
      expect(at(width - 1, Math.floor(height / 2))).toEqual([...WHITE, 255]);
      expect(at(Math.floor(width / 2), height - 1)).toEqual([...WHITE, 255]);
    },
  );

  const scales = [0.5, 1, 1.1, 1.25, 1.5, 2, 2.625, 3, 3.3, 5];
  const viewports = [
    [640, 360],
    [333, 101],
    [801, 603],
  ] as const;

  it.each(scales)('is width x scale by height x scale, counted up, at scale %f', async (view_scale) => {
    for (const [view_width, view_height] of viewports) {
      const { width, height, at } = await render({ view_width, view_height, view_scale });
      // Thousandths of the scale, so that the expectation itself is free of floating point.
      const wanted = [view_width, view_height].map((side) => Math.ceil((side * Math.round(view_scale * 1000)) / 1000));
      expect([width, height]).toEqual(wanted);
      const inset = Math.ceil(view_scale * 4);
      expect(isColour(at(inset, inset), RED)).toBe(true);
      expect(isColour(at(width - inset, inset), GREEN)).toBe(true);
      expect(isColour(at(inset, height - inset), BLUE)).toBe(true);
      expect(isColour(at(width - inset, height - inset), YELLOW)).toBe(true);
    }
  });

  it('is white where the page paints nothing', async () => {
    const { at, width, height } = await render({ url: dataUrl('') });
    expect(isColour(at(0, 0), WHITE)).toBe(true);
    expect(isColour(at(width - 1, height - 1), WHITE)).toBe(true);
  });

  it('is that of the viewport where a mobile page is laid out wider', async () => {
    const { width, height, at } = await render({ view_width: 375, view_height: 667, view_scale: 2, view_mobile: true });
    expect([width, height]).toEqual([750, 1334]);
    expect(isColour(at(5, 5), RED)).toBe(true);
    expect(isColour(at(740, 1320), YELLOW)).toBe(true);
  });

  it('shows what is scrolled to', async () => {
    const url = `${dataUrl('<div style="height:2000px;background:red"></div><div id="here" style="height:2000px;background:blue"></div>')}#here`;
    for (const params of [{}, { image_width: 640 }]) {
      const { at } = await render({ url, ...params });
      expect(isColour(at(2, 2), BLUE)).toBe(true);
    }
  });
});

describe('image_width and image_height', () => {
  it.each([
    [{ image_width: 640 }, [640, 360]],
    [{ image_width: 333 }, [333, 187]],
    [{ image_height: 1000 }, [1778, 1000]],
    [{ image_width: 2560 }, [2560, 1440]],
    [{ image_width: 640, view_scale: 2.625 }, [640, 360]],
    [{ image_height: 97, view_scale: 1.25, view_width: 801, view_height: 603 }, [129, 97]],
  ] as const)('one alone keeps the ratio: %j', async (params, size) => {
    const { width, height, at } = await render(params);
    expect([width, height]).toEqual(size);
    expect(isColour(at(0, 0), RED)).toBe(true);
    expect(isColour(at(width - 1, 0), GREEN)).toBe(true);
    expect(isColour(at(0, height - 1), BLUE)).toBe(true);
    expect(isColour(at(width - 1, height - 1), YELLOW)).toBe(true);
  });

  it('both give exactly that size, filled without distortion', async () => {
    const circle = dataUrl(block('left:540px;top:260px;width:200px;height:200px;background:red'));
    const { width, height, at } = await render({ url: circle, image_width: 360, image_height: 360 });
    expect([width, height]).toEqual([360, 360]);
    // Half size, the middle 720 of 1280 CSS pixels: the square is at (540 - 280) / 2 = 130 and 100 pixels large.
    expect(isColour(at(132, 132), RED)).toBe(true);
    expect(isColour(at(227, 227), RED)).toBe(true);
    expect(isColour(at(126, 180), WHITE)).toBe(true);
    expect(isColour(at(233, 180), WHITE)).toBe(true);
    expect(isColour(at(180, 126), WHITE)).toBe(true);
    expect(isColour(at(180, 233), WHITE)).toBe(true);
  });

  it('crops the lower end of what is too high', async () => {
    const { width, height, at } = await render({ image_width: 1280, image_height: 200 });
    expect([width, height]).toEqual([1280, 200]);
    expect(isColour(at(2, 197), RED)).toBe(true);
  });

  it.each([{ image_width: 0 }, { image_height: 0 }, { image_width: 16_385 }, { image_height: -1 }, { image_width: 1.5 }])(
    'refuses %j',
    async (params) => {
      await expect(render(params)).rejects.toMatchObject({ code: 'invalid_parameters' });
    },
  );

  it('refuses more pixels than a picture may have', async () => {
    await expect(render({ image_width: 16_384, view_height: 1280 })).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
  });
});
