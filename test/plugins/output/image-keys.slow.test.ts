import { createTestKernel } from '@platen/kernel/testing';
import apng from '@platen/plugin-apng';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import gif from '@platen/plugin-gif';
import avif from '@platen/plugin-image/avif';
import bmp from '@platen/plugin-image/bmp';
import jpg from '@platen/plugin-image/jpg';
import tiff from '@platen/plugin-image/tiff';
import webp from '@platen/plugin-image/webp';
import jpegxl from '@platen/plugin-jpegxl';
import outputs from '@platen/plugin-outputs';
import pdf from '@platen/plugin-pdf';
import png from '@platen/plugin-png';
import print from '@platen/plugin-print';
import screenshot from '@platen/plugin-screenshot';
import target from '@platen/plugin-target';
import webm from '@platen/plugin-video/webm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../helpers/checkers.js';
import { openSite, type Site } from '../../helpers/site.js';
import { BLUE, block, dataUrl, decodePicture, GREEN, isColour, type Picture, RED, WHITE } from '../capture/pictures.js';

import { AVIFDEC, decodeStill, DJXL, type StillDecoder } from './decode-still.js';

const host = createTestKernel({
  plugins: [png, jpg, webp, avif, tiff, bmp, jpegxl, apng, gif, webm, pdf, print, screenshot, frames, ffmpeg, target, outputs],
});
let site: Site;
beforeAll(async () => {
  site = await openSite({
    '/lazy': `<!doctype html><style>body{margin:0}</style><div style="height:9000px"></div><img loading=lazy src=/green.png width=100 height=100><div style="height:5000px"></div>`,
    '/green.png': { headers: { 'content-type': 'image/png' }, body: await solid('green') },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function solid(background: string): Promise<Buffer> {
  return sharp({ create: { width: 10, height: 10, channels: 3, background } })
    .png()
    .toBuffer();
}

const SIZE = { browser_width: 400, browser_height: 300 };
const render = async (url: string, params: object): Promise<Buffer> => (await host.render({ url, ...SIZE, ...params })).bytes();
const refusalOf = (params: object) => () => host.kernel.plan(host.kernel.validate({ url: dataUrl('x'), ...params }, 'body'));

const byFfmpeg = (extension: string): StillDecoder => ({
  extension,
  program: 'ffmpeg',
  args: (from, to) => ['-v', 'error', '-i', from, '-frames:v', '1', '-pix_fmt', 'rgba', to],
});
const DECODERS: Readonly<Record<string, StillDecoder>> = { avif: AVIFDEC, jpegxl: DJXL };
const decode = (type: string, bytes: Buffer): Promise<Picture> =>
  type === 'png' ? decodePicture(bytes) : decodeStill(bytes, DECODERS[type] ?? byFfmpeg(type));

/** Photographic enough that quality matters. */
const GRADIENT = dataUrl('<div style="height:300px;background:conic-gradient(red,yellow,lime,aqua,blue,magenta,red)">Text</div>');

describe('image_quality', () => {
  it.each(['jpg', 'webp', 'avif', 'jpegxl'])('orders the sizes of %s', async (output_type) => {
    const sizes: number[] = [];
    for (const image_quality of [1, 30, 60, 90, 100]) sizes.push((await render(GRADIENT, { output_type, image_quality })).length);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect((sizes.at(-1) ?? 0) / (sizes[0] ?? 1)).toBeGreaterThan(3);
  });

  it.each([
    ['jpg', 80],
    ['webp', 80],
    ['avif', 60],
    ['jpegxl', 90],
  ])('of %s is %d by default', async (output_type, image_quality) => {
    const [given, own] = await Promise.all([render(GRADIENT, { output_type, image_quality }), render(GRADIENT, { output_type })]);
    expect(given.equals(own)).toBe(true);
  });

  it('applies to a screenshot that is captured in tiles', async () => {
    const tall = dataUrl('<div style="height:27000px;background:linear-gradient(red,yellow)"></div>');
    const params = { output_type: 'jpg', image_quality: 5, full_page: true, browser_width: 1280, timeout: 100 };
    await using file = await openCheckedFile(await render(tall, params), 'jpg');
    expect(String(await runChecker('identify', ['-ping', '-format', '%wx%h %Q', file.path]))).toBe('1280x27000 5');
  });

  it.each(['png', 'tiff', 'bmp', 'gif', 'webm', 'pdf'])('is refused for %s', (output_type) => {
    expect(refusalOf({ output_type, image_quality: 50 })).toThrow(
      `"image_quality" sets the quality of jpg, webp, avif and jpegxl images: the output type "${output_type}" has no such setting`,
    );
  });

  it.each([0, 101, 1.5, 'high'])('is an integer from 1 to 100, unlike %j', (image_quality) => {
    expect(refusalOf({ output_type: 'jpg', image_quality })).toThrow(/"image_quality"/);
  });

  it('is refused for animated images', () => {
    expect(refusalOf({ output_type: 'webp', image_duration: 1, image_quality: 50 })).toThrow(/animated webp.*"image_duration"/);
  });
});

describe('image_lossless', () => {
  it.each(['webp', 'avif', 'jpegxl'])('%s has the pixels of a png', async (output_type) => {
    const [bytes, exact] = await Promise.all([
      render(GRADIENT, { output_type, image_lossless: true }),
      render(GRADIENT, { output_type: 'png' }),
    ]);
    const [seen, wanted] = await Promise.all([decode(output_type, bytes), decode('png', exact)]);
    expect([seen.width, seen.height, seen.data.equals(wanted.data)]).toEqual([wanted.width, wanted.height, true]);
  });

  it.each(['jpg', 'png', 'bmp', 'webm'])('is refused for %s', (output_type) => {
    expect(refusalOf({ output_type, image_lossless: true })).toThrow(/"image_lossless" sets webp, avif and jpegxl images/);
    expect(refusalOf({ output_type, image_lossless: false })).not.toThrow();
  });

  it('cannot be combined with image_quality', () => {
    expect(refusalOf({ output_type: 'webp', image_lossless: true, image_quality: 50 })).toThrow('mutually exclusive');
    expect(refusalOf({ output_type: 'webp', image_lossless: false, image_quality: 50 })).not.toThrow();
  });
});

describe('image_transparent', () => {
  const PAGE = dataUrl(
    `${block('left:0;top:0;width:100px;height:100px;background:red')}${block('left:100px;top:0;width:100px;height:100px;background:rgb(0 0 255/.5)')}`,
  );
  const TYPES = ['png', 'webp', 'avif', 'tiff', 'jpegxl', 'apng', 'gif'];
  /** The fastest recording. */
  const animated = (type: string) => (['apng', 'gif'].includes(type) ? { image_duration: 0.2, image_framerate: 10 } : {});

  it.each(TYPES)('%s has nothing where the page paints nothing', async (output_type) => {
    const seen = await decode(output_type, await render(PAGE, { output_type, image_transparent: true, ...animated(output_type) }));
    expect(seen.at(300, 50)[3]).toBe(0);
    expect(isColour(seen.at(50, 50), RED, 6)).toBe(true);
    // A gif has no half of it.
    if (output_type !== 'gif') expect(Math.abs((seen.at(150, 50)[3] ?? 0) - 128)).toBeLessThan(4);
  });

  it.each(TYPES)('%s is opaque without it', async (output_type) => {
    const seen = await decode(output_type, await render(PAGE, { output_type, image_transparent: false, ...animated(output_type) }));
    expect(isColour(seen.at(300, 50), WHITE, 2)).toBe(true);
  });

  it.each<readonly [string, object]>([
    ['full_page', { full_page: true }],
    ['a scale', { device_scale_factor: 2 }],
    ['a size', { image_width: 200 }],
    ['both', { full_page: true, device_scale_factor: 2, image_width: 800 }],
    ['an element', { image_selector: 'main' }],
    ['a clip', { image_clip: '0,0,400,900' }],
  ])('holds with %s', async (_what, params) => {
    const html = `<main style="height:2000px;position:relative">${block('left:0;top:0;width:200px;height:300px;background:red')}</main>`;
    for (const output_type of ['png', 'webp', 'avif']) {
      const { width, height, at } = await decode(
        output_type,
        await render(dataUrl(html), { output_type, image_transparent: true, ...params }),
      );
      expect([isColour(at(Math.round(width / 8), 4), RED, 6), at(width - 4, 4)[3], at(width - 4, height - 4)[3]]).toEqual([true, 0, 0]);
    }
  });

  it('holds in a screenshot captured in tiles, of which some are opaque', async () => {
    const html = `<div style="height:12000px;background:red"></div><div style="height:18000px"></div>`;
    const bytes = await render(dataUrl(html), { output_type: 'png', image_transparent: true, full_page: true, browser_width: 1280 });
    const { height, at } = await decodePicture(bytes);
    expect([height, isColour(at(600, 11_000), RED), at(600, 13_000)[3]]).toEqual([30_000, true, 0]);
  });

  it('leaves the background of the page', async () => {
    const { at } = await decodePicture(
      await render(dataUrl('x', '<style>html{background:green}</style>'), { output_type: 'png', image_transparent: true }),
    );
    expect(isColour(at(300, 200), GREEN)).toBe(true);
  });

  it.each(['jpg', 'bmp', 'webm', 'pdf'])('is refused for %s', (output_type) => {
    expect(refusalOf({ output_type, image_transparent: true })).toThrow(
      /"image_transparent" sets png, webp, avif, tiff, jpegxl, apng and gif images/,
    );
  });

  it('is refused where one of several images cannot have it', () => {
    expect(refusalOf({ output_type: 'png', with_output: ['jpg'], image_transparent: true })).toThrow(
      /the output type "jpg" has no such setting/,
    );
    expect(refusalOf({ output_type: 'png', with_output: ['webp', 'pdf'], image_transparent: true })).not.toThrow();
    expect(refusalOf({ output_type: 'pdf', with_output: ['jpg'], image_quality: 50 })).not.toThrow();
  });

  it('of an animated webp is kept, and refused for an animated avif', async () => {
    const bytes = await render(PAGE, { output_type: 'webp', image_transparent: true, image_duration: 0.2, image_framerate: 10 });
    const picture = await decodePicture(bytes);
    expect([picture.at(300, 50)[3], isColour(picture.at(50, 50), RED, 6)]).toEqual([0, true]);
    expect(refusalOf({ output_type: 'avif', image_transparent: true, image_duration: 1 })).toThrow(/animated avif/);
  });
});

describe('image_clip', () => {
  /** A red square of 100 pixels at 150,120 with a blue frame of a pixel around it. */
  const SQUARE = `${block('left:149px;top:119px;width:102px;height:102px;background:blue')}${block('left:150px;top:120px;width:100px;height:100px;background:red')}`;
  const CLIP = '150,120,100,100';

  const isAll = ({ width, height, at }: Picture, color: readonly number[], tolerance: number) =>
    [0, 1, Math.floor(width / 2), width - 1].every((x) =>
      [0, 1, Math.floor(height / 2), height - 1].every((y) => isColour(at(x, y), color, tolerance)),
    );

  it.each([1, 2, 3, 1.5])('is exact at scale %d', async (device_scale_factor) => {
    for (const [output_type, tolerance] of [
      ['png', 0],
      ['webp', 6],
      ['jpg', 6],
      ['avif', 6],
    ] as const) {
      const bytes = await render(dataUrl(SQUARE), { output_type, device_scale_factor, image_clip: CLIP });
      const seen = await decode(output_type, bytes);
      expect([output_type, seen.width, seen.height, isAll(seen, RED, tolerance)]).toEqual([
        output_type,
        100 * device_scale_factor,
        100 * device_scale_factor,
        true,
      ]);
    }
  });

  it('takes fractions of CSS pixels that are whole pixels of the image', async () => {
    const { width, height, at } = await decodePicture(
      await render(dataUrl(SQUARE), { device_scale_factor: 2, image_clip: '149.5, 119.5, 101, 101' }),
    );
    expect([width, height]).toEqual([202, 202]);
    expect([isColour(at(0, 0), BLUE), isColour(at(1, 1), RED), isColour(at(200, 200), RED), isColour(at(201, 201), BLUE)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it.each([
    [{ image_width: 50 }, 50, 50],
    [{ image_width: 200, image_height: 100 }, 200, 100],
    [{ image_height: 50, device_scale_factor: 2 }, 50, 50],
  ])('is scaled to %j', async (params, width, height) => {
    const seen = await decodePicture(await render(dataUrl(SQUARE), { image_clip: CLIP, ...params }));
    expect([seen.width, seen.height, isColour(seen.at(width / 2, height / 2), RED)]).toEqual([width, height, true]);
  });

  it.each([
    ['350,250,100,100', 50, 50],
    ['-50,-50,100,100', 50, 50],
    ['0,0,5000,5000', 400, 300],
  ])('%s has what is inside of the page', async (image_clip, width, height) => {
    const seen = await decodePicture(await render(dataUrl('x'), { image_clip }));
    expect([seen.width, seen.height]).toEqual([width, height]);
  });

  it.each(['400,0,10,10', '0,300,10,10', '-10,0,10,10', '0,-20,10,10'])('%s outside of the page is a 422', async (image_clip) => {
    await expect(render(dataUrl('x'), { image_clip })).rejects.toMatchObject({
      code: 'selection_empty',
      status: 422,
      message: `"image_clip" is outside of the page, which has 400 x 300 pixels: ${image_clip}`,
    });
  });

  it('far below has lazy images', async () => {
    const url = site.url('/lazy');
    const { bytes } = await host.render({ url, ...SIZE, image_clip: '0,9000,100,200', device_scale_factor: 2 });
    const { width, height, at } = await decodePicture(await bytes());
    expect([width, height, isColour(at(100, 100), GREEN)]).toEqual([200, 400, true]);
  });

  it('right and below of the viewport is captured there', async () => {
    const html = `<div style="width:3000px;height:3000px;position:relative">${block('left:2000px;top:2500px;width:100px;height:100px;background:red')}</div>`;
    const seen = await decodePicture(await render(dataUrl(html), { image_clip: '2000,2500,100,100', device_scale_factor: 2 }));
    expect([seen.width, seen.height, isAll(seen, RED, 0)]).toEqual([200, 200, true]);
  });

  it.each([
    [{ full_page: true }, '"image_clip" and "full_page" are mutually exclusive'],
    [{ image_selector: 'p' }, '"image_clip" and "image_selector" are mutually exclusive'],
    [{ output_type: 'gif' }, '"image_clip" is for still images'],
    [{ output_type: 'webm' }, '"image_clip" is for still images'],
  ])('is refused with %j', (params, message) => {
    expect(refusalOf({ image_clip: CLIP, ...params })).toThrow(message);
  });

  it.each(['', '1,2,3', '1,2,3,4,5', '1,2,-3,4', 'a,b,c,d', '1 2 3 4'])('is four numbers, unlike %j', (image_clip) => {
    expect(refusalOf({ image_clip })).toThrow(/"image_clip".*four numbers/);
  });

  it.each(['0,0,0,10', '0,0,10,0.0'])('has an area, unlike %s', (image_clip) => {
    expect(refusalOf({ image_clip })).toThrow('"image_clip" must have a width and a height above 0');
  });
});
