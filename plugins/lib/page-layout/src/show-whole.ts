import { PlatenError, type Page, type Rect } from '@platen/kernel';
import { lackInBoxes } from './in-page/index.js';
import type { View } from './in-page/wait-for-stable.js';
import { locateElement, measureElement, scrollToElement, type ElementRequest, type Located } from './locate-element.js';

export interface Shown extends Located {
  /** All of it is in view. */
  readonly whole: boolean;
  /** It is larger than one of its scroll containers. */
  readonly boxed: boolean;
}

/** CSS pixels by which the viewport must grow to show all of an element. */
export interface MissingSize extends Size {
  /** It is longer or wider than one of its scroll containers. */
  readonly boxed: boolean;
}

export interface ShowRequest extends ElementRequest {
  /**
   * The outcome for an element that cannot be shown completely in its scroll container: the error `capture_too_large`, or a capture of the
   * visible part.
   */
  readonly boxed?: 'refused' | 'shown';
}

/** A box that takes only a part of the viewport's growth (`80vh`) needs several steps to be large enough. */
const GROW_TRIES = 3;

/**
 * Brings all of an element into view: scrolls to it and, if it is larger than the viewport or one of its scroll containers, resizes the
 * viewport to the size that `grown` returns; undefined: keeps the size. Throws the errors of `locateElement`.
 */
export async function showWhole(
  page: Page,
  element: ShowRequest,
  grown: (wanted: Size, lack: MissingSize, rect: Rect) => Size | undefined,
): Promise<Shown> {
  let located = await locateElement(page, element);
  let lack = await lackOf(page, element, located);
  let factor = { width: 1, height: 1 };
  for (let tries = 0; tries < GROW_TRIES && !isWhole(lack) && factor.width + factor.height > 0; tries += 1) {
    const { width, height } = page.profile;
    const { scale } = located.view;
    const wanted = {
      width: width + Math.ceil(lack.width * factor.width * scale),
      height: height + Math.ceil(lack.height * factor.height * scale),
    };
    const size = grown(wanted, lack, located.rect);
    if (size === undefined) break;

    if (size.width !== width || size.height !== height) await page.setProfile(size);
    const view = await scrollToElement(page, element.selector);
    located = { ...located, rect: await measureElement(page, element), view, scrolled: true };
    const left = await lackOf(page, element, located);
    factor = left.boxed ? growthNeeded(lack, left, { width: size.width - width, height: size.height - height }) : { width: 0, height: 0 };
    lack = left;
  }
  const shown = { ...located, whole: isWhole(lack), boxed: lack.boxed };
  if (element.boxed !== 'shown' && lack.boxed && !shown.whole) throw clippedElementError(element);
  return shown;
}

/** CSS pixels that the viewport needs to enlarge the box by one; 0 on a side on which the box hardly grows. */
function growthNeeded(before: Size, after: Size, grown: Size): Size {
  const needed = (side: 'width' | 'height'): number => {
    const gained = before[side] - after[side];
    return after[side] <= 1 || gained < grown[side] * 0.1 ? 0 : Math.max(1, grown[side] / gained);
  };
  return { width: needed('width'), height: needed('height') };
}

/** Tolerates the pixel that rounding up may add. */
function isWhole({ width, height }: MissingSize): boolean {
  return width <= 1 && height <= 1;
}

export function clippedElementError({ key, selector }: ElementRequest): PlatenError {
  return new PlatenError(
    'capture_too_large',
    `"${key}" matched an element that is larger than the scrolling box around it, at any viewport size, and cannot be shown as a whole: request a smaller element, or the box: ${selector}`,
  );
}

async function lackOf(
  page: Page,
  { selector }: ElementRequest,
  { rect, view }: { readonly rect: Rect; readonly view: View },
): Promise<MissingSize> {
  const boxed = await page.evaluate(lackInBoxes, selector, OVERHANG);
  const shown = { width: page.profile.width / view.scale, height: page.profile.height / view.scale };
  const over = {
    width: Math.max(rect.width - shown.width, rect.x + rect.width - view.x - shown.width),
    height: Math.max(rect.height - shown.height, rect.y + rect.height - view.y - shown.height),
  };
  return {
    width: Math.max(0, over.width, boxed.width),
    height: Math.max(0, over.height, boxed.height),
    boxed: boxed.width > 1 || boxed.height > 1,
  };
}

/** Fraction of its width: rows with negative margins overflow their boxes by this much on purpose, in every viewport. */
const OVERHANG = 0.05;

/** The whole pixels that a length covers, ignoring floating point noise: 700 x 1.1, and the browser's float32 (960 / 0.9 x 0.9). */
export function ceilPixels(length: number): number {
  return Math.max(1, Math.ceil(length - 1e-3));
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in the request; with only one side, the ratio is preserved. */
export interface AskedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The requested size and the scale factor to it: the larger of both sides' factors, so that nothing outside the region is visible. */
export function fitSize(exact: Size, asked: AskedSize): Size & { readonly factor: number } {
  const natural = { width: ceilPixels(exact.width), height: ceilPixels(exact.height) };
  if (asked.width === undefined && asked.height === undefined) return { ...natural, factor: 1 };
  const { width, height } = wantedSize(natural, asked);
  return { width, height, factor: Math.max(width / exact.width, height / exact.height) };
}

function wantedSize(natural: Size, { width, height }: AskedSize): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: scaledSide(natural.height, width / natural.width) };
  if (height !== undefined) return { width: scaledSide(natural.width, height / natural.height), height };
  return natural;
}

function scaledSide(side: number, factor: number): number {
  return Math.max(1, Math.round(side * factor));
}
