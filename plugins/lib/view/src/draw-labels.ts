import type { Rect } from '@platen/kernel';
import { decodeRaster, encodeRaster, type RasterPixels } from '@platen/lib-raster';
import type { ViewCapture } from './capture-view.js';
import { placeTags } from './place-tags.js';
import type { RefBox } from './write-snapshot.js';

/** Dark enough for white digits on each, and different from their neighbors. */
const COLORS: readonly Color[] = [
  [190, 18, 60],
  [29, 78, 216],
  [21, 128, 61],
  [126, 34, 206],
  [180, 83, 9],
  [15, 118, 110],
];
const WHITE: Color = [255, 255, 255];
const BLACK: Color = [0, 0, 0];
const BORDER = 2;
/** Pixels around a mask: letters may overhang their box. */
const MASK_MARGIN = 2;
const PADDING = 2;
const QUALITY = 80;
/** A larger box frames the page rather than an element. */
const MAX_SHARE = 0.6;

type Color = readonly [red: number, green: number, blue: number];

export interface LabelOptions {
  readonly signal: AbortSignal;
  /** `Snapshot.masks`: painted over, below the labels. */
  readonly masks?: readonly Rect[];
}

/**
 * The screenshot of a view with a box and a tag for each ref, as a JPEG; undefined if the view has no screenshot. The page itself is not
 * changed. Rejects with the signal's reason.
 */
export async function drawLabels(
  { screenshot, viewport }: Pick<ViewCapture, 'screenshot' | 'viewport'>,
  boxes: readonly RefBox[],
  { signal, masks = [] }: LabelOptions,
): Promise<Buffer | undefined> {
  if (screenshot === undefined || boxes.length + masks.length === 0) return screenshot?.data;
  const pixels = await decodeRaster(screenshot.data, { signal });
  for (const mask of masks) fill(pixels, grow(toPixels(mask, { viewport, scale: screenshot.scale, pixels }), MASK_MARGIN), BLACK);
  const shown = boxes
    .map(({ ref, bounds }) => ({ ref, box: toPixels(bounds, { viewport, scale: screenshot.scale, pixels }) }))
    .filter(({ box }) => box.width > 0 && box.height > 0 && box.width * box.height <= MAX_SHARE * pixels.width * pixels.height);
  const tags = placeTags(
    shown.map(({ ref, box }) => ({ box, width: textWidth(ref) + 2 * PADDING, height: TEXT_HEIGHT + 2 * PADDING })),
    pixels,
  );
  const colorOf = (ref: string): Color => COLORS[Number(ref.slice(1)) % COLORS.length] ?? WHITE;
  for (const { ref, box } of shown) drawBorder(pixels, box, colorOf(ref));
  for (const [at, { ref }] of shown.entries()) {
    const tag = tags[at];
    if (tag !== undefined) drawTag(pixels, tag, { ref, color: colorOf(ref) });
  }
  return encodeRaster(pixels, { format: 'jpeg', quality: QUALITY, chromaSubsampling: '4:4:4', fast: true, signal });
}

/** The part of a box that is in the image, in whole pixels. */
function toPixels(
  { x, y, width, height }: Rect,
  { viewport, scale, pixels }: { readonly viewport: Rect; readonly scale: number; readonly pixels: RasterPixels },
): Rect {
  const left = Math.max(0, Math.round((x - viewport.x) * scale));
  const top = Math.max(0, Math.round((y - viewport.y) * scale));
  const right = Math.min(pixels.width, Math.round((x + width - viewport.x) * scale));
  const bottom = Math.min(pixels.height, Math.round((y + height - viewport.y) * scale));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function grow({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function drawBorder(pixels: RasterPixels, { x, y, width, height }: Rect, color: Color): void {
  fill(pixels, { x, y, width, height: BORDER }, color);
  fill(pixels, { x, y: y + height - BORDER, width, height: BORDER }, color);
  fill(pixels, { x, y, width: BORDER, height }, color);
  fill(pixels, { x: x + width - BORDER, y, width: BORDER, height }, color);
}

function drawTag(pixels: RasterPixels, tag: Rect, { ref, color }: { readonly ref: string; readonly color: Color }): void {
  fill(pixels, tag, color);
  for (const dot of textMask(ref)) fill(pixels, { ...dot, x: tag.x + PADDING + dot.x, y: tag.y + PADDING + dot.y }, WHITE);
}

function fill({ data, width: columns, height: rows, channels }: RasterPixels, { x, y, width, height }: Rect, color: Color): void {
  const left = Math.max(0, x);
  const right = Math.min(columns, x + width);
  for (let row = Math.max(0, y); row < Math.min(rows, y + height); row += 1) {
    data.fill(Buffer.from(color), (row * columns + left) * channels, (row * columns + right) * channels);
  }
}

/** The characters of refs, seven rows of five dots each. */
const GLYPHS: Readonly<Record<string, readonly string[]>> = {
  e: ['     ', '     ', ' ### ', '#   #', '#####', '#    ', ' ### '],
  0: [' ### ', '#   #', '#  ##', '# # #', '##  #', '#   #', ' ### '],
  1: ['  #  ', ' ##  ', '  #  ', '  #  ', '  #  ', '  #  ', ' ### '],
  2: [' ### ', '#   #', '    #', '   # ', '  #  ', ' #   ', '#####'],
  3: [' ### ', '#   #', '    #', '  ## ', '    #', '#   #', ' ### '],
  4: ['   # ', '  ## ', ' # # ', '#  # ', '#####', '   # ', '   # '],
  5: ['#####', '#    ', '#### ', '    #', '    #', '#   #', ' ### '],
  6: [' ### ', '#    ', '#    ', '#### ', '#   #', '#   #', ' ### '],
  7: ['#####', '    #', '   # ', '  #  ', '  #  ', '  #  ', '  #  '],
  8: [' ### ', '#   #', '#   #', ' ### ', '#   #', '#   #', ' ### '],
  9: [' ### ', '#   #', '#   #', ' ####', '    #', '    #', ' ### '],
};
/** Pixels of a dot. */
const DOT = 2;
const ADVANCE = 6;

/** Pixels. */
const TEXT_HEIGHT = 7 * DOT;

/** Width in pixels of a ref. */
function textWidth(text: string): number {
  return (text.length * ADVANCE - 1) * DOT;
}

/** The dots of a ref as rectangles in pixels. */
function textMask(text: string): readonly Rect[] {
  return Array.from(text).flatMap((character, at) =>
    (GLYPHS[character] ?? []).flatMap((row, y) =>
      Array.from(row).flatMap((dot, x) => (dot === '#' ? [{ x: (at * ADVANCE + x) * DOT, y: y * DOT, width: DOT, height: DOT }] : [])),
    ),
  );
}
