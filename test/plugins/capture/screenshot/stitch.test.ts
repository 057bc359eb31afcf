import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readChunks, SIGNATURE, stitchTiles, tagSrgb, writeChunk } from '../../../../plugins/capture/screenshot/src/stitch-png.js';

const WIDTH = 37;

function noise(height: number, channels: 3 | 4) {
  return { pixels: randomBytes(WIDTH * height * channels), height, channels };
}

/** A png whose every line has the one filter (PNG third edition, 9.2). */
function pngOf({ pixels, height, channels }: ReturnType<typeof noise>, filter: number): Buffer {
  const row = WIDTH * channels;
  const lines = Buffer.alloc(height * (row + 1));
  const pixel = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (pixels[y * row + x] ?? 0));
  for (let y = 0; y < height; y += 1) {
    lines[y * (row + 1)] = filter;
    for (let x = 0; x < row; x += 1) {
      const [left, up, corner] = [pixel(x - channels, y), pixel(x, y - 1), x < channels ? 0 : pixel(x - channels, y - 1)];
      const predicted = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][filter] ?? 0;
      lines[y * (row + 1) + 1 + x] = (pixel(x, y) - predicted) & 0xff;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  const chunks = [
    { type: 'IHDR', data: header },
    { type: 'IDAT', data: deflateSync(lines) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([SIGNATURE, ...chunks.map(writeChunk)]);
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const typesOf = (png: Buffer) => [...readChunks(png)].map(({ type }) => type);

describe('stitchTiles', () => {
  it.each([0, 1, 2, 3, 4])('joins strips whose lines have filter %i, pixel for pixel', async (filter) => {
    for (const channels of [3, 4] as const) {
      const strips = [noise(5, channels), noise(1, channels), noise(9, channels)];
      const png = await buffer(Readable.from(stitchTiles(strips.map((strip) => pngOf(strip, filter)))));
      const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: WIDTH, height: 15, channels });
      expect(data.equals(Buffer.concat(strips.map(({ pixels }) => pixels)))).toBe(true);
      expect(typesOf(png).slice(0, 3)).toEqual(['IHDR', 'sRGB', 'IDAT']);
    }
  });

  it.each([0, 1, 2, 3, 4])('joins opaque strips whose lines have filter %i with strips that have alpha', async (filter) => {
    const strips = [noise(5, 3), noise(3, 4), noise(9, 3)];
    const png = await buffer(Readable.from(stitchTiles(strips.map((strip) => pngOf(strip, filter)))));
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    const opaque = (pixels: Buffer) =>
      Array.from({ length: pixels.length / 3 }, (_, at) => [...pixels.subarray(at * 3, at * 3 + 3), 255]).flat();
    const wanted = strips.map(({ pixels, channels }) => (channels === 4 ? pixels : Buffer.from(opaque(pixels))));
    expect(info).toMatchObject({ width: WIDTH, height: 17, channels: 4 });
    expect(data.equals(Buffer.concat(wanted))).toBe(true);
  });

  it('refuses strips that do not fit together', async () => {
    const gray = pngOf(noise(5, 3), 0);
    gray[25] = 0;
    const tiles = [pngOf(noise(5, 3), 0), gray];
    await expect(buffer(Readable.from(stitchTiles(tiles)))).rejects.toThrow(RangeError);
  });

  it('ends with an error, not in silence, where a strip is damaged', async () => {
    const whole = pngOf(noise(5, 3), 0);
    const damaged = Buffer.concat([whole.subarray(0, 45), Buffer.alloc(20, 255), whole.subarray(65)]);
    await expect(buffer(Readable.from(stitchTiles([whole, damaged])))).rejects.toThrow();
  });
});

describe('tagSrgb', () => {
  it('says once that the colours are sRGB', async () => {
    const png = pngOf(noise(3, 3), 1);
    const tagged = tagSrgb(png);
    expect(typesOf(tagged)).toEqual(['IHDR', 'sRGB', 'IDAT', 'IEND']);
    expect(tagSrgb(tagged)).toBe(tagged);
    expect((await sharp(tagged).raw().toBuffer()).equals(await sharp(png).raw().toBuffer())).toBe(true);
  });
});
