import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import bmp from '@platen/plugin-image/bmp';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createBmp, encodeBmp, PIXEL_FORMATS, type PixelFormatName } from '../../../plugins/output/image/src/bmp.js';
import { dataUrl, decodePicture, isColour } from '../capture/pictures.js';
import { decodeStill, ffmpeg, imageMagick, type StillDecoder } from './decode-still.js';

const NAMES: readonly PixelFormatName[] = ['bgr24', 'rgb565le', 'gray8'];
const DECODERS: readonly StillDecoder[] = [ffmpeg('bmp'), imageMagick('bmp')];

/** Every pixel another colour: what is swapped, mirrored or shifted shows. */
function gradient(width: number, height: number) {
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    data.set([(at * 37) & 255, (Math.floor(at / width) * 91 + 5) & 255, (at * 11 + 200) & 255], at * 3);
  }
  return { data, width, height, channels: 3 as const };
}

/** What a pixel is after it was stored in that format, by arithmetic of its own. */
function stored(name: PixelFormatName, [red = 0, green = 0, blue = 0]: readonly number[]): readonly number[] {
  const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
  const reduced = (value: number, most: number) => (Math.round((value / 255) * most) * 255) / most;
  if (name === 'bgr24') return [red, green, blue];
  return name === 'gray8' ? [grey, grey, grey] : [reduced(red, 31), reduced(green, 63), reduced(blue, 31)];
}

async function encode(width: number, height: number, name: PixelFormatName): Promise<Buffer> {
  const body = await encodeBmp(gradient(width, height), PIXEL_FORMATS[name]);
  return Buffer.isBuffer(body) ? body : buffer(body);
}

describe.each(NAMES)('%s', (name) => {
  it.each([1, 2, 3, 4, 5, 123])('is read pixel for pixel by two programs at a width of %i', async (width) => {
    const height = 7;
    const bytes = await encode(width, height, name);
    const { data } = gradient(width, height);
    for (const decoder of DECODERS) {
      const picture = await decodeStill(bytes, decoder);
      expect([picture.width, picture.height]).toEqual([width, height]);
      for (let at = 0; at < width * height; at += 1) {
        const pixel = picture.at(at % width, Math.floor(at / width));
        stored(name, [...data.subarray(at * 3, at * 3 + 3)]).forEach((value, channel) => {
          // Readers differ by one in how they widen 5 and 6 bits.
          expect(Math.abs((pixel[channel] ?? NaN) - value), `${decoder.program}, pixel ${at}`).toBeLessThanOrEqual(
            name === 'bgr24' ? 0 : 1,
          );
        });
      }
    }
  });

  it('is as long as its header says, its rows padded to four bytes with zeros', async () => {
    const bytes = await encode(5, 3, name);
    const start = bytes.readUInt32LE(10);
    const rowBytes = (5 * PIXEL_FORMATS[name].bitsPerPixel) / 8;
    const stride = Math.ceil(rowBytes / 4) * 4;
    expect(bytes.toString('latin1', 0, 2)).toBe('BM');
    expect(bytes.readUInt32LE(2)).toBe(bytes.length);
    expect(bytes.readUInt32LE(34)).toBe(stride * 3);
    expect(bytes.length).toBe(start + stride * 3);
    for (const row of [0, 1, 2]) {
      expect([...bytes.subarray(start + row * stride + rowBytes, start + (row + 1) * stride)].every((byte) => byte === 0)).toBe(true);
    }
  });

  it('says that it is sRGB, from the bottom up', async () => {
    const bytes = await encode(2, 9, name);
    expect([bytes.readUInt32LE(14), bytes.readInt32LE(18), bytes.readInt32LE(22)]).toEqual([108, 2, 9]);
    expect(bytes.readUInt32LE(70)).toBe(0x73524742);
  });
});

it('tells 565 by masks, and grey by a palette of 256 shades', async () => {
  const rgb565 = await encode(2, 2, 'rgb565le');
  expect([rgb565.readUInt16LE(28), rgb565.readUInt32LE(30)]).toEqual([16, 3]);
  expect([54, 58, 62].map((at) => rgb565.readUInt32LE(at))).toEqual([0xf800, 0x07e0, 0x001f]);
  const gray = await encode(2, 2, 'gray8');
  expect([gray.readUInt16LE(28), gray.readUInt32LE(30), gray.readUInt32LE(46), gray.readUInt32LE(10)]).toEqual([8, 0, 256, 122 + 1024]);
  expect([0, 1, 255].map((shade) => gray.readUInt32LE(122 + shade * 4))).toEqual([0, 0x010101, 0xffffff]);
  const bgr = await encode(2, 2, 'bgr24');
  expect([bgr.readUInt16LE(28), bgr.readUInt32LE(30), bgr.readUInt32LE(46)]).toEqual([24, 0, 0]);
});

it('is a stream where it is large, of the same bytes, made no faster than it is read', async () => {
  const large = gradient(4096, 4096);
  const lastOfFirstRow = [...large.data.subarray(4095 * 3, 4096 * 3)];
  const body = await encodeBmp(large, PIXEL_FORMATS.bgr24);
  if (Buffer.isBuffer(body)) throw new Error('not a stream');
  let most = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    most = Math.max(most, chunk.length + body.readableLength);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  expect(bytes.length).toBe(122 + 4096 * 4096 * 3);
  expect(most).toBeLessThan(1024 * 1024);
  expect([...bytes.subarray(-3)]).toEqual(lastOfFirstRow.reverse());
});

describe('the output type bmp', () => {
  const host = createTestKernel({ plugins: [pixels, png, bmp] });
  afterAll(() => host[Symbol.asyncDispose]());
  const url = dataUrl('<body style="background:#c81e1e">');

  it.each([
    ['bgr24', [200, 30, 30]],
    ['rgb565le', [198, 28, 33]],
    ['gray8', [81, 81, 81]],
  ])('stores pixels as %s', async (bmp_pixel_format, colour) => {
    const { bytes } = await host.render({ url, output_type: 'bmp', bmp_pixel_format });
    const picture = await decodeStill(await bytes(), ffmpeg('bmp'));
    expect(picture.at(640, 360).slice(0, 3)).toEqual(colour);
  });

  it.each(NAMES)('is shown by the browser itself: %s', async (name) => {
    const data = Buffer.alloc(41 * 20 * 3, Buffer.from([200, 30, 30]));
    const file = await encodeBmp({ data, width: 41, height: 20, channels: 3 }, PIXEL_FORMATS[name]);
    if (!Buffer.isBuffer(file)) throw new Error('not a buffer');
    const shown = dataUrl(`<img style="display:block" src="data:image/bmp;base64,${file.toString('base64')}">`);
    const picture = await decodePicture(await (await host.render({ url: shown, image_selector: 'img' })).bytes());
    expect([picture.width, picture.height]).toEqual([41, 20]);
    expect(isColour(picture.at(40, 19), stored(name, [200, 30, 30]), 1)).toBe(true);
  });

  it('is bgr24 without the key', async () => {
    const { bytes } = await host.render({ url, output_type: 'bmp' });
    expect((await bytes()).length).toBe(122 + 1280 * 720 * 3);
  });

  it('leaves other output types alone', async () => {
    const { output } = await host.render({ url, bmp_pixel_format: 'gray8' });
    expect(output.contentType).toBe('image/png');
  });
});

it('answers encode_failed where the picture cannot be read, and the reason where nobody waits any more', async () => {
  const capture = { format: 'png' as const, data: Buffer.from('no picture'), width: 2, height: 2 };
  const context = (signal: AbortSignal) => ({ params: {}, signal }) as unknown as Parameters<typeof createBmp>[1];
  await expect(createBmp(capture, context(new AbortController().signal))).rejects.toMatchObject({ code: 'encode_failed', status: 500 });
  await expect(createBmp({ ...capture, data: Readable.from([]) }, context(AbortSignal.abort(new Error('client left'))))).rejects.toThrow(
    'client left',
  );
});
