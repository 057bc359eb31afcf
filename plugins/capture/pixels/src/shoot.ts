import { Readable } from 'node:stream';
import { PlatenError, type Page } from '@platen/kernel';
import type { Frame } from './frame.js';
import { SINGLE_CAPTURE_PIXELS, TILE_PIXELS } from './limits.js';
import type { PixelCapture, PixelCaptureOptions } from './pixel-capture.js';
import { readHeader } from './png/chunks.js';
import { stitchTiles } from './png/stitch.js';
import { tagSrgb } from './png/tag-srgb.js';

/** Takes the picture: in one piece, as the browser encodes it, or in tiles where it is large. */
export async function shoot(page: Page, frame: Frame, options: PixelCaptureOptions): Promise<PixelCapture> {
  const { width, height } = frame;
  if (width * height > SINGLE_CAPTURE_PIXELS && frame.clip !== undefined) {
    return { format: 'png', data: Readable.from(stitchTiles(await shootTiles(page, frame))), width, height };
  }
  const { native: format, quality } = options;
  if (format === undefined) return { format: 'png', data: tagSrgb(await shootPng(page, frame)), width, height };
  const data = await page.screenshot({ format, ...place(frame), ...(quality === undefined ? {} : { quality }) });
  return { format, data, width, height };
}

async function shootTiles(page: Page, frame: Frame): Promise<readonly Buffer[]> {
  const tiles: Buffer[] = [];
  for (const tile of tilesOf(frame)) tiles.push(await shootPng(page, tile));
  return tiles;
}

/** Cuts a frame into strips of its full width. */
export function tilesOf({ clip, width, height }: Frame): readonly Frame[] {
  if (clip === undefined) return [];
  const rows = Math.max(1, Math.floor(TILE_PIXELS / width));
  const perPixel = clip.height / height;
  return Array.from({ length: Math.ceil(height / rows) }, (_, index) => {
    const top = index * rows;
    const strip = Math.min(rows, height - top);
    return { clip: { ...clip, y: clip.y + top * perPixel, height: strip * perPixel }, beyond: true, width, height: strip };
  });
}

async function shootPng(page: Page, frame: Frame): Promise<Buffer> {
  const data = await page.screenshot({ format: 'png', fast: true, ...place(frame) });
  const { width, height } = readHeader(data);
  if (width === frame.width && height === frame.height) return data;
  throw new PlatenError('encode_failed', `the browser made a picture of ${sizeOf({ width, height })} where ${sizeOf(frame)} was asked for`);
}

function place({ clip, beyond }: Frame): { clip?: NonNullable<Frame['clip']>; beyondViewport?: boolean } {
  return clip === undefined ? {} : { clip, beyondViewport: beyond };
}

function sizeOf({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${String(width)} x ${String(height)} pixels`;
}
