import { HEADER_END, readChunks, writeChunk } from './chunks.js';

/** Declares the colors as sRGB, perceptual intent (PNG third edition, 11.3.2.5). */
export const SRGB_CHUNK = writeChunk({ type: 'sRGB', data: Buffer.from([0]) });

const COLOR_SPACES = ['sRGB', 'iCCP', 'cICP'];

/** Adds the color space to the PNG, which the browser omits. */
export function tagSrgb(png: Buffer): Buffer {
  for (const { type } of readChunks(png)) {
    if (COLOR_SPACES.includes(type)) return png;
    if (type === 'IDAT') break;
  }
  return Buffer.concat([png.subarray(0, HEADER_END), SRGB_CHUNK, png.subarray(HEADER_END)]);
}
