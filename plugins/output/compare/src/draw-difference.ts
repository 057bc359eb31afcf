import { encodePng, type RowRange } from '@platen/lib-raster/rows';
import type { Region, Size } from './comparison.js';
import { isMarked, type Marks, type Pair, stripsOf } from './find-differences.js';

/** Pixels of the rows that are drawn: 32 MiB for each of three panels. */
const MOST_PIXELS = 2 ** 23;

/** Rows around a region, if not all are drawn. */
const AROUND = 48;

/** Pixels between panels, and between rows that are not next to each other. */
const GAP = 16;

/** Red, green, blue and alpha. */
type Color = readonly [number, number, number, number];
const CHANGED: Color = [217, 0, 38, 255];
const FRAME: Color = [214, 0, 147, 255];
const BACKGROUND: Color = [148, 156, 170, 255];

/** Part of the color of what did not change, between the two. */
const FADED = 0.25;

export interface Difference {
  readonly pair: Pair;
  readonly marks: Marks;
  readonly regions: readonly Region[];
  readonly panels: readonly Panel[];
}

/** `change`: what differs, in red on the faded image. */
export type Panel = 'baseline' | 'change' | 'image';

/** A PNG for people: panels side by side, with a frame around each region. Of a large image only the rows around the regions are drawn. */
export async function drawDifference({ pair, marks, regions, panels }: Difference): Promise<Uint8Array> {
  const bands = planBands(pair.area, regions);
  const canvas = createCanvas({ panel: pair.area.width, panels, bands });
  for (const strip of stripsOf(pair.area)) {
    const rows = bands.flatMap((band) => intersect(band, strip) ?? []);
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) continue;
    const read = { top: first.top, height: last.top + last.height - first.top };
    const before = await pair.baseline.read(read, pair.area.width);
    const now = await pair.image.read(read, pair.area.width);
    for (const row of rows.flatMap(eachRow)) canvas.drawRow(row, { before, now, from: row - read.top, marks });
  }
  for (const region of regions) canvas.frame(region);
  return await encodePng(canvas.data, canvas.width, canvas.height);
}

/** The rows that are drawn, without overlaps. */
function planBands({ width, height }: Size, regions: readonly Region[]): readonly RowRange[] {
  const most = Math.max(1, Math.floor(MOST_PIXELS / width));
  if (height <= most || regions.length === 0) return [{ top: 0, height: Math.min(height, most) }];
  const bands: RowRange[] = [];
  let left = most;
  let end = 0;
  for (const region of regions) {
    const top = Math.max(end, region.y - AROUND);
    const bottom = Math.min(height, region.y + region.height + AROUND, top + left);
    if (bottom <= top) continue;
    const last = bands.at(-1);
    if (last?.top !== undefined && top === end) bands.splice(-1, 1, { top: last.top, height: bottom - last.top });
    else bands.push({ top, height: bottom - top });
    left -= bottom - top;
    end = bottom;
  }
  return bands;
}

function intersect(one: RowRange, other: RowRange): RowRange | undefined {
  const top = Math.max(one.top, other.top);
  const height = Math.min(one.top + one.height, other.top + other.height) - top;
  return height > 0 ? { top, height } : undefined;
}

function eachRow({ top, height }: RowRange): readonly number[] {
  return Array.from({ length: height }, (_, at) => top + at);
}

interface DrawnRow {
  readonly before: Uint8Array;
  readonly now: Uint8Array;
  /** The row in these. */
  readonly from: number;
  readonly marks: Marks;
}

interface CanvasOptions {
  /** Pixels of the width of each. */
  readonly panel: number;
  readonly panels: readonly Panel[];
  readonly bands: readonly RowRange[];
}

/** Rows and regions are those of the area. */
function createCanvas({ panel, panels, bands }: CanvasOptions) {
  const width = panels.length * (panel + GAP) - GAP;
  const height = bands.reduce((sum, band) => sum + band.height + GAP, -GAP);
  const data = new Uint8Array(width * height * 4);
  new Uint32Array(data.buffer).fill(new Uint32Array(Uint8Array.from(BACKGROUND).buffer)[0] ?? 0);
  const placeOf = createPlaces(bands);
  const set = (x: number, y: number): void => {
    const place = placeOf(y);
    if (place === undefined || x < 0 || x >= panel) return;
    for (let at = 0; at < panels.length; at += 1) data.set(FRAME, (place * width + at * (panel + GAP) + x) * 4);
  };
  return {
    ...{ data, width, height },
    drawRow(row: number, { before, now, from, marks }: DrawnRow) {
      const place = placeOf(row);
      if (place === undefined) return;
      const part = (of: Uint8Array) => of.subarray(from * panel * 4, (from + 1) * panel * 4);
      const isChanged = (x: number) => isMarked(marks, row * panel + x);
      const drawn = { baseline: () => part(before), image: () => part(now), change: () => fadeRow(part(now), isChanged) };
      for (const [at, name] of panels.entries()) data.set(drawn[name](), (place * width + at * (panel + GAP)) * 4);
    },
    frame({ x, y, width: wide, height: high }: Region) {
      for (const out of [2, 3]) {
        const [left, right, top, bottom] = [x - out, x + wide + out - 1, y - out, y + high + out - 1];
        for (let at = left; at <= right; at += 1) for (const line of [top, bottom]) set(at, line);
        for (let at = top; at <= bottom; at += 1) for (const line of [left, right]) set(line, at);
      }
    },
  };
}

/** The row of the canvas at which a row is drawn; undefined: it is not. */
function createPlaces(bands: readonly RowRange[]): (row: number) => number | undefined {
  let next = 0;
  const places = bands.map(({ top, height }) => {
    const place = next;
    next += height + GAP;
    return { place, top, height };
  });
  return (row) => {
    const band = places.find(({ top, height }) => row >= top && row < top + height);
    return band === undefined ? undefined : band.place + row - band.top;
  };
}

/** On white; changed pixels in their color. It runs for each pixel: without a list for each. */
function fadeRow(pixels: Uint8Array, isChanged: (x: number) => boolean): Uint8Array {
  const row = new Uint8Array(pixels.length).fill(255);
  for (let at = 0; at < row.length; at += 4) {
    if (isChanged(at / 4)) {
      row.set(CHANGED, at);
      continue;
    }
    const part = (FADED * (pixels[at + 3] ?? 0)) / 255;
    for (let channel = at; channel < at + 3; channel += 1) row[channel] = 255 - Math.round((255 - (pixels[channel] ?? 0)) * part);
  }
  return row;
}
