import { Readable } from 'node:stream';
import { decodeRaster, encodeRaster, MAX_INPUT_PIXELS, type RasterFormat } from '@platen/lib-raster';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePicture, isColour } from '../../capture/pictures.js';

const COLOUR = { r: 200, g: 100, b: 50 };
const formats: readonly RasterFormat[] = [
  { format: 'jpeg', quality: 80 },
  { format: 'webp', quality: 80, effort: 0 },
  { format: 'avif', quality: 60, effort: 0 },
  { format: 'tiff' },
  { format: 'png' },
];
/** As libvips calls the format of what it reads. */
const READ_AS = { jpeg: 'jpeg', webp: 'webp', avif: 'heif', tiff: 'tiff', png: 'png' };

function solid(width: number, height: number, alpha = 1): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: { ...COLOUR, alpha } } })
    .png()
    .toBuffer();
}

describe.each(formats)('$format', (format) => {
  it('keeps size and colour, and says that they are sRGB', async () => {
    const encoded = await encodeRaster(await solid(123, 45), format);
    const picture = await decodePicture(encoded);
    expect(picture).toMatchObject({ format: READ_AS[format.format], width: 123, height: 45 });
    expect(isColour(picture.at(60, 20), [200, 100, 50], 4)).toBe(true);
    const { icc } = await sharp(encoded).metadata();
    expect(icc?.includes(Buffer.from('RGB XYZ '))).toBe(true);
  });

  it('encodes a stream as it does a buffer', async () => {
    const png = await solid(300, 200);
    const parts = [png.subarray(0, 50), png.subarray(50, 60), png.subarray(60)];
    expect((await encodeRaster(Readable.from(parts), format)).equals(await encodeRaster(png, format))).toBe(true);
  });

  it('rejects what is no picture, and goes on', async () => {
    await expect(encodeRaster(Buffer.from('not a picture'), format)).rejects.toThrow();
    await expect(encodeRaster(Readable.from([Buffer.from('not a picture')]), format)).rejects.toThrow();
    await expect(encodeRaster(await solid(2, 2), format)).resolves.toBeInstanceOf(Buffer);
  });

  it('rejects with the error of a stream that breaks off', async () => {
    const png = await solid(300, 200);
    const broken = Readable.from(
      (function* () {
        yield png.subarray(0, 100);
        throw new Error('broke off');
      })(),
    );
    await expect(encodeRaster(broken, format)).rejects.toThrow('broke off');
  });

  it('refuses a picture that is too large before it unpacks it', async () => {
    const header = await solid(2, 2);
    header.writeUInt32BE(16_384, 16);
    header.writeUInt32BE(16_384, 20);
    expect(16_384 ** 2).toBeGreaterThan(MAX_INPUT_PIXELS);
    await expect(encodeRaster(header, format)).rejects.toThrow();
  });

  it('does not begin when nobody waits any more', async () => {
    const png = await solid(2, 2);
    await expect(encodeRaster(png, { ...format, signal: AbortSignal.abort(new Error('client left')) })).rejects.toThrow('client left');
  });
});

it('paints what is transparent white where the format has no transparency, and keeps it where it has', async () => {
  const png = await solid(20, 20, 0);
  const [jpeg, ...others] = await Promise.all(formats.map(async (format) => decodePicture(await encodeRaster(png, format))));
  expect(isColour(jpeg?.at(10, 10) ?? [], [255, 255, 255], 1)).toBe(true);
  expect(others.map((picture) => picture.at(10, 10)[3])).toEqual([0, 0, 0, 0]);
});

it('decodes to bare samples, transparency on white', async () => {
  const { data, width, height } = await decodeRaster(await solid(7, 5));
  expect([width, height, data.length]).toEqual([7, 5, 105]);
  expect([...data.subarray(0, 3)]).toEqual([200, 100, 50]);
  const clear = await decodeRaster(Readable.from([await solid(2, 1, 0)]));
  expect([...clear.data]).toEqual([255, 255, 255, 255, 255, 255]);
});

it('decodes with its alpha where that is asked for', async () => {
  const { data, channels } = await decodeRaster(await solid(1, 2, 0), { channels: 4 });
  expect(channels).toBe(4);
  expect([...data]).toEqual([200, 100, 50, 0, 200, 100, 50, 0]);
});

it('loses nothing in a tiff', async () => {
  const noise = Buffer.from(Uint8Array.from({ length: 61 * 47 * 3 }, (_, at) => (at * 7919) >> 3));
  const png = await sharp(noise, { raw: { width: 61, height: 47, channels: 3 } })
    .png()
    .toBuffer();
  const { data } = await decodeRaster(await encodeRaster(png, { format: 'tiff' }));
  expect(data.equals(noise)).toBe(true);
});

it('stops reading a stream when nobody waits any more', async () => {
  for (const read of [encodeRaster, decodeRaster]) {
    const gone = new AbortController();
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(1024));
        gone.abort(new Error('client left'));
      },
    });
    await expect(read(endless, { format: 'tiff', signal: gone.signal })).rejects.toThrow(/aborted/);
    expect(endless.destroyed).toBe(true);
  }
});

it('encodes a fast JPEG with the same pixels', async () => {
  const png = await solid(123, 45);
  const pixelsOf = (image: Buffer) => sharp(image).raw().toBuffer();
  const fast = await encodeRaster(png, { format: 'jpeg', quality: 80, fast: true });
  expect((await pixelsOf(fast)).equals(await pixelsOf(await encodeRaster(png, { format: 'jpeg', quality: 80 })))).toBe(true);
});
