import { readFile } from 'node:fs/promises';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { encodeRaster } from '@platen/lib-raster';
import avif from '@platen/plugin-image/avif';
import ffmpeg from '@platen/plugin-ffmpeg';
import frames from '@platen/plugin-frames';
import jpegxl from '@platen/plugin-jpegxl';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import webp from '@platen/plugin-image/webp';
import { afterAll, expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../helpers/checkers.js';
import { dataUrl } from '../capture/pictures.js';

const host: TestKernel = createTestKernel({ plugins: [pixels, frames, ffmpeg, png, webp, avif, jpegxl] });
afterAll(() => host[Symbol.asyncDispose]());

/** Text beside colours that run into each other. */
const PAGE = dataUrl(
  `<div style="position:absolute;left:50%;width:600px;height:600px;background:repeating-radial-gradient(#123,#fa5 30px,#28c 55px)"></div>${'<p>The quick brown fox jumps over the lazy dog.</p>'.repeat(15)}`,
);

const render = async (output_type: string): Promise<Buffer> => (await host.render({ url: PAGE, output_type })).bytes();

/** The same quality in as little time as the encoder can. */
const FASTEST: Readonly<Record<string, (page: Buffer) => Promise<Buffer>>> = {
  webp: (page) => encodeRaster(page, { format: 'webp', quality: 80, effort: 0 }),
  avif: (page) => encodeRaster(page, { format: 'avif', quality: 60, effort: 0 }),
  async jpegxl(page) {
    await using file = await openCheckedFile(page, 'png');
    const encoded = file.beside('page.jxl');
    await runChecker('cjxl', [file.path, encoded, '--distance', '1', '--effort', '3', '--quiet']);
    return await readFile(encoded);
  },
};

it.each(Object.keys(FASTEST))('%s is smaller than with the least effort, by a twentieth at least', async (type) => {
  const fastest = await FASTEST[type]?.(await render('png'));
  expect((await render(type)).length).toBeLessThan(0.95 * (fastest?.length ?? 0));
});
