import { readFile } from 'node:fs/promises';
import type { Plugin } from '@platen/kernel';
import { createTestKernel, pluginContract } from '@platen/kernel/testing';
import jpg from '@platen/plugin-jpg';
import pixels from '@platen/plugin-pixels';
import png from '@platen/plugin-png';
import webp from '@platen/plugin-webp';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { block, dataUrl, decodePicture, isColour } from '../capture/pictures.js';
import view from '../capture/view-plugin.js';

interface Format {
  readonly plugin: Plugin;
  readonly contentType: string;
  readonly decodedAs: string;
  /** How far a channel may be off. */
  readonly tolerance: number;
  /** CSS pixels that a page may be high at scale 1. */
  readonly maxHeight?: number;
  /** What the file says of its colours. */
  readonly colours: Buffer;
}

const formats: readonly Format[] = [
  { plugin: png, contentType: 'image/png', decodedAs: 'png', tolerance: 0, colours: Buffer.from('sRGB') },
  { plugin: jpg, contentType: 'image/jpeg', decodedAs: 'jpeg', tolerance: 6, maxHeight: 65_500, colours: Buffer.from('ICC_PROFILE') },
  { plugin: webp, contentType: 'image/webp', decodedAs: 'webp', tolerance: 6, maxHeight: 16_383, colours: Buffer.from('ICCP') },
];

const host = createTestKernel({ plugins: [pixels, view, ...formats.map(({ plugin }) => plugin)] });
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

describe.each(formats)('$decodedAs', ({ plugin, contentType, decodedAs, tolerance, maxHeight, colours }) => {
  const output_type = plugin.name;

  it.each([{}, { image_width: 333 }, { view_scale: 1.25, view_height: 721 }])('is the page in its colours: %j', async (params) => {
    const { output, bytes } = await host.render({ url: FIELDS, output_type, ...params });
    expect(output.contentType).toBe(contentType);
    const picture = await decodePicture(await bytes());
    expect(picture.format).toBe(decodedAs);
    const { image_width: width = Math.ceil(1280 * (params.view_scale ?? 1)) } = params;
    expect(picture.width).toBe(width);
    COLOURS.forEach((colour, at) => {
      expect(isColour(picture.at(Math.floor(((at + 0.5) / 4) * width), 50), colour, tolerance)).toBe(true);
    });
  });

  it('says that its colours are sRGB', async () => {
    const bytes = await (await host.render({ url: FIELDS, output_type })).bytes();
    expect(bytes.subarray(0, 200).includes(colours)).toBe(true);
    expect((await sharp(bytes).metadata()).space).toBe('srgb');
  });

  it('is complete where it is captured in tiles, or refused where the format cannot hold it', async () => {
    const tall = (height: number) => ({
      url: dataUrl(`<div style="height:${String(height)}px;background:linear-gradient(#c81e1e 50%,#1e1ec8 50%)">`),
      output_type,
      full_page: true,
    });
    const possible = Math.min(40_000, maxHeight ?? Infinity);
    const picture = await decodePicture(await (await host.render(tall(possible))).bytes());
    expect([picture.width, picture.height]).toEqual([1280, possible]);
    expect(isColour(picture.at(600, 100), [200, 30, 30], tolerance)).toBe(true);
    expect(isColour(picture.at(600, possible - 100), [30, 30, 200], tolerance)).toBe(true);
    const impossible = maxHeight === undefined ? 250_000 : maxHeight + 1;
    await expect(host.render(tall(impossible))).rejects.toMatchObject({ code: 'capture_too_large', status: 422 });
  });
});

describe.each(formats)('the plugin of $decodedAs', async ({ plugin }) => {
  const manifest: unknown = JSON.parse(
    await readFile(new URL(`../../../plugins/output/${plugin.name}/package.json`, import.meta.url), 'utf8'),
  );
  for (const check of pluginContract({ plugin, manifest, companions: [pixels] })) it(check.name, check.run);
});
