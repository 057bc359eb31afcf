import type { RowRange } from '@platen/lib-raster/rows';
import pixelmatch from 'pixelmatch';
import type { Comparison, Size } from './comparison.js';
import { createRegionFinder, type RegionFinder } from './find-regions.js';
import type { OpenImage } from './open-image.js';

export interface Sensitivity {
  /** 0 to 1: the distance of colors from which a pixel counts. */
  readonly threshold: number;
  /** Whether pixels of smoothed edges count. */
  readonly antialiasing: boolean;
}

/** Two images as one: both are drawn on the smallest area that holds them. */
export interface Pair {
  readonly image: OpenImage;
  readonly baseline: OpenImage;
  readonly area: Size;
}

/** One bit for each pixel of the area: 1 if it differs. */
export type Marks = Uint8Array;

/** Pixels of a strip: 32 MiB of each image. */
const STRIP_PIXELS = 2 ** 23;

/** Rows beyond a strip that decide whether one of its pixels belongs to a smoothed edge. */
const MARGIN = 2;

export function pairOf(image: OpenImage, baseline: OpenImage): Pair {
  const area = { width: Math.max(image.width, baseline.width), height: Math.max(image.height, baseline.height) };
  return { image, baseline, area };
}

/** Compares strip by strip, so that memory does not grow with the height. What only one of the images has differs. */
export async function findDifferences(
  pair: Pair,
  { threshold, antialiasing }: Sensitivity,
): Promise<{ readonly comparison: Comparison; readonly marks: Marks }> {
  const { image, baseline, area } = pair;
  const marks = new Uint8Array(Math.ceil((area.width * area.height) / 8));
  const finder = createRegionFinder(area);
  let pixels = 0;
  for (const strip of stripsOf(area)) {
    const read = widen(strip, area);
    const [now, before] = [await image.read(read, area.width), await baseline.read(read, area.width)];
    const drawn = new Uint8Array(now.length);
    const found = pixelmatch(before, now, drawn, area.width, read.height, { threshold, includeAA: antialiasing, diffMask: true });
    if (found > 0 || !isShared(strip, pair)) pixels += markStrip(drawn, { pair, strip, top: read.top, marks, finder });
  }
  const { width, height } = image;
  const size = { width: baseline.width, height: baseline.height };
  const equal = pixels === 0;
  const ratio = pixels / (area.width * area.height);
  return { comparison: { equal, pixels, ratio, width, height, baseline: size, regions: finder.find() }, marks };
}

/** Both images have all of its pixels. */
function isShared({ top, height }: RowRange, { image, baseline, area }: Pair): boolean {
  return [image, baseline].every((one) => one.width === area.width && one.height >= top + height);
}

export function stripsOf({ width, height }: Size): readonly RowRange[] {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  return Array.from({ length: Math.ceil(height / rows) }, (_, at) => ({ top: at * rows, height: Math.min(rows, height - at * rows) }));
}

function widen({ top, height }: RowRange, area: Size): RowRange {
  const first = Math.max(0, top - MARGIN);
  return { top: first, height: Math.min(area.height, top + height + MARGIN) - first };
}

interface Strip {
  readonly pair: Pair;
  readonly strip: RowRange;
  /** Of the first row that is drawn. */
  readonly top: number;
  readonly marks: Marks;
  readonly finder: RegionFinder;
}

/** Returns how many pixels of the strip differ. */
function markStrip(drawn: Uint8Array, { pair: { image, baseline, area }, strip, top, marks, finder }: Strip): number {
  const differs = new Uint32Array(drawn.buffer);
  const shared = { width: Math.min(image.width, baseline.width), height: Math.min(image.height, baseline.height) };
  let count = 0;
  for (let y = strip.top; y < strip.top + strip.height; y += 1) {
    const row = (y - top) * area.width;
    for (let x = 0; x < area.width; x += 1) {
      if (differs[row + x] === 0 && x < shared.width && y < shared.height) continue;
      const at = y * area.width + x;
      marks[at >> 3] = (marks[at >> 3] ?? 0) | (1 << (at & 7));
      finder.add(x, y);
      count += 1;
    }
  }
  return count;
}

export function isMarked(marks: Marks, at: number): boolean {
  return ((marks[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}
