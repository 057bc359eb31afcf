/**
 * Reads images in strips, for threads that compare pixels: without the kernel, which takes longer to load than most images to decode. Its callers
 * limit how many images are decoded at a time.
 *
 * @packageDocumentation
 */

import type { default as SharpModule } from 'sharp';

/** Bytes, or the path of a file. */
export type ImageSource = Uint8Array | string;

export interface ImageHeader {
  /** As libvips names it: `png`, `jpeg`, `heif` for AVIF, `svg`. */
  readonly format: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Frames of an animation, or pages of a document. */
  readonly pages: number;
}

/** Rows from the top on, in pixels. */
export interface RowRange {
  readonly top: number;
  readonly height: number;
}

/** Rejects with the decoder's error. */
export async function readImageHeader(source: ImageSource): Promise<ImageHeader> {
  const sharp = await loadSharp();
  const { format, width, height, pages = 1 } = await sharp(source, SETTINGS).metadata();
  return { format, width, height, pages };
}

/** The rows of an image as red, green, blue and alpha in sRGB, 8 bits each. Rejects with the decoder's error, also for a damaged image. */
export async function decodeRows(source: ImageSource, { top, height }: RowRange): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const image = sharp(source, SETTINGS);
  const { width } = await image.metadata();
  const rows = image.extract({ left: 0, top, width, height }).toColourspace('srgb').ensureAlpha();
  return await rows.raw({ depth: 'uchar' }).toBuffer();
}

/** @param data as from `decodeRows` */
export async function encodePng(data: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const sharp = await loadSharp();
  return await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
}

/** Of an image; libvips's own limit. */
export const MOST_PIXELS = 16_383 ** 2;
const SETTINGS = { limitInputPixels: MOST_PIXELS, sequentialRead: true, pages: 1 };

let loading: Promise<typeof SharpModule> | undefined;

function loadSharp(): Promise<typeof SharpModule> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  }));
}
