import type { Plugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import avif from '@platen/plugin-image/avif';
import bmp from '@platen/plugin-image/bmp';
import ffmpegPlugin from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import jpegxl from '@platen/plugin-jpegxl';
import jpg from '@platen/plugin-image/jpg';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import tiff from '@platen/plugin-image/tiff';
import webp from '@platen/plugin-image/webp';
import { afterAll, describe, expect, it } from 'vitest';
import { block, dataUrl, decodePicture, isColour, type Picture } from '../capture/pictures.js';
import view from '../capture/view-plugin.js';
import { AVIFDEC, decodeStill, describeStill, DJXL, ffmpeg } from './decode-still.js';

interface Format {
  readonly plugin: Plugin;
  readonly contentType: string;
  /** By a program of its own where libvips wrote the file. */
  decode(bytes: Buffer): Promise<Picture>;
  /** How far a channel may be off. */
  readonly tolerance: number;
  /** CSS pixels that a page of 1280 may be high at scale 1. */
  readonly maxHeight?: number;
  /** What the file says of its colours. */
  readonly colours: string | RegExp;
  /** Where it is said: in the first bytes, unless a checker tells. */
  describe?(bytes: Buffer): Promise<string>;
}

const TIFF = ffmpeg('tiff');

const formats: readonly Format[] = [
  { plugin: png, contentType: 'image/png', decode: decodePicture, tolerance: 0, colours: 'sRGB' },
  { plugin: jpg, contentType: 'image/jpeg', decode: decodePicture, tolerance: 6, maxHeight: 65_500, colours: 'ICC_PROFILE' },
  { plugin: webp, contentType: 'image/webp', decode: decodePicture, tolerance: 6, maxHeight: 16_383, colours: 'ICCP' },
  {
    plugin: avif,
    contentType: 'image/avif',
    decode: (bytes) => decodeStill(bytes, AVIFDEC),
    tolerance: 4,
    maxHeight: 16_384,
    describe: (bytes) => describeStill(bytes, AVIFDEC, ['avifdec', '--info']),
    colours: /ICC Profile {4}: Present/,
  },
  {
    plugin: tiff,
    contentType: 'image/tiff',
    decode: (bytes) => decodeStill(bytes, TIFF),
    tolerance: 0,
    describe: (bytes) => describeStill(bytes, TIFF, ['tiffinfo']),
    colours: /ICC Profile: <present>/,
  },
  { plugin: bmp, contentType: 'image/bmp', decode: (bytes) => decodeStill(bytes, ffmpeg('bmp')), tolerance: 0, colours: 'BGRs' },
  {
    plugin: jpegxl,
    contentType: 'image/jxl',
    decode: (bytes) => decodeStill(bytes, DJXL),
    tolerance: 6,
    maxHeight: 52_428,
    describe: (bytes) => describeStill(bytes, DJXL, ['jxlinfo']),
    colours: /sRGB primaries, sRGB transfer function/,
  },
];

/** Some formats are animated on request. */
const companions = [pixels, frames, ffmpegPlugin];
const host = createTestKernel({ plugins: [...companions, view, ...formats.map(({ plugin }) => plugin)] });
afterAll(() => host[Symbol.asyncDispose]());

const FIELDS = dataUrl(
  ['#c81e1e', '#1ec81e', '#1e1ec8', '#808080']
    .map((colour, at) => block(`left:${String(at * 25)}vw;top:0;width:25vw;height:100vh;background:${colour}`))
    .join(''),
);
const COLOURS = [
  [200, 30, 30],
  [30, 200, 30],
  [30, 30, 200],
  [128, 128, 128],
];

/** More pixels than are captured in one piece. */
const TILED_HEIGHT = 27_000;

describe.each(formats)('$plugin.name', ({ plugin, contentType, decode, tolerance, maxHeight, colours, ...format }) => {
  const output_type = plugin.name;

  it.each([{}, { image_width: 333 }, { view_scale: 1.25, view_height: 721 }])('is the page in its colours: %j', async (params) => {
    const { output, bytes } = await host.render({ url: FIELDS, output_type, ...params });
    expect(output.contentType).toBe(contentType);
    const picture = await decode(await bytes());
    const { image_width, view_scale: scale = 1, view_height: height = 720 } = params;
    const width = image_width ?? Math.ceil(1280 * scale);
    expect([picture.width, picture.height]).toEqual([width, image_width === undefined ? Math.ceil(height * scale) : 187]);
    // The last row may be a fraction of a CSS pixel, and lossy formats let it show some rows above.
    for (const y of [0, picture.height - 20]) {
      COLOURS.forEach((colour, at) => {
        expect(picture.at(Math.floor(((at + 0.5) / 4) * width), y), `field ${at}`).toSatisfy((pixel: readonly number[]) =>
          isColour(pixel, colour, tolerance),
        );
      });
    }
  });

  it('is no other format, and says that its colours are sRGB', async () => {
    const bytes = await (await host.render({ url: FIELDS, output_type })).bytes();
    const { format: seen } = await decodePicture(bytes).catch(() => ({ format: undefined }));
    const byLibvips: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', webp: 'webp', avif: 'heif', tiff: 'tiff' };
    expect(seen).toBe(byLibvips[output_type]);
    expect(await (format.describe?.(bytes) ?? bytes.toString('latin1', 0, 200))).toMatch(colours);
  });

  it('is complete where it is captured in tiles, or refused where the format cannot hold it', async () => {
    const tall = (height: number) => ({
      url: dataUrl(`<div style="height:${String(height)}px;background:linear-gradient(#c81e1e 50%,#1e1ec8 50%)">`),
      output_type,
      full_page: true,
      timeout: 100,
    });
    const possible = Math.min(TILED_HEIGHT, maxHeight ?? Infinity);
    const picture = await decode(await (await host.render(tall(possible))).bytes());
    expect([picture.width, picture.height]).toEqual([1280, possible]);
    expect(isColour(picture.at(600, 100), [200, 30, 30], tolerance)).toBe(true);
    expect(isColour(picture.at(600, possible - 100), [30, 30, 200], tolerance)).toBe(true);
    const impossible = maxHeight === undefined ? 250_000 : maxHeight + 1;
    await expect(host.render(tall(impossible))).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
  });
});
