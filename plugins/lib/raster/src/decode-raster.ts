import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { encodeSlots } from './encode-slots.js';
import { loadSharp, MAX_INPUT_PIXELS } from './load-sharp.js';

/** A picture as bare samples: rows from the top, three bytes (red, green, blue) a pixel, no padding. Sizes in pixels. */
export interface RgbPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Decodes a picture off the event loop, transparency on white. For formats that sharp cannot write. */
export async function decodeRaster(source: Buffer | Readable, signal?: AbortSignal): Promise<RgbPixels> {
  const sharp = await loadSharp();
  const encoded = Buffer.isBuffer(source) ? source : await buffer(source);
  return encodeSlots.run(async () => {
    const image = sharp(encoded, { limitInputPixels: MAX_INPUT_PIXELS }).flatten({ background: 'white' }).toColourspace('srgb').raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  }, signal);
}
