import { PlatenError, type Page, type Rect } from '@platen/kernel';
import type { Size } from './fit-size.js';
import { locateElement, measureElement, scrollToElement, type ElementRequest, type Located } from './locate-element.js';
import type { View } from './settle-page.js';

export interface Shown extends Located {
  /** All of it is in view. */
  readonly whole: boolean;
}

/** CSS pixels that are missing for all of an element to be in view. */
export interface Lack extends Size {
  /** It is longer or wider than a box that it is scrolled in. */
  readonly boxed: boolean;
}

/**
 * Brings all of an element into view: scrolls to it and, where it is larger than the viewport or than a box that it is scrolled in, gives
 * the viewport the size that `grown` answers; undefined: it stays as it is. Throws `capture_too_large` for an element that cannot be
 * taken out of a box that scrolls, and what `locateElement` throws.
 */
export async function showWhole(
  page: Page,
  element: ElementRequest,
  grown: (wanted: Size, lack: Lack, rect: Rect) => Size | undefined,
): Promise<Shown> {
  const located = await locateElement(page, element);
  const lack = await lackOf(page, element, located);
  if (isWhole(lack)) return { ...located, whole: true };
  const { width, height } = page.profile;
  const { scale } = located.view;
  const wanted = { width: width + Math.ceil(lack.width * scale), height: height + Math.ceil(lack.height * scale) };
  const size = grown(wanted, lack, located.rect);
  if (size === undefined) return refuseBoxed(element, lack, { ...located, whole: false });

  if (size.width !== width || size.height !== height) await page.setProfile(size);
  const view = await scrollToElement(page, element.selector);
  const shown = { rect: await measureElement(page, element), view, from: located.from };
  const left = await lackOf(page, element, shown);
  return refuseBoxed(element, left, { ...shown, whole: isWhole(left) });
}

/** Up to the pixel that counting up may add. */
function isWhole({ width, height }: Lack): boolean {
  return width <= 1 && height <= 1;
}

function refuseBoxed({ key, selector }: ElementRequest, { boxed }: Lack, shown: Shown): Shown {
  if (!boxed) return shown;
  throw new PlatenError(
    'capture_too_large',
    `"${key}" matched an element that is larger than the box in which the page scrolls it, whatever the size of the viewport, so that it cannot be shown as a whole: ask for a smaller element, or for the box: ${selector}`,
  );
}

async function lackOf(
  page: Page,
  { selector }: ElementRequest,
  { rect, view }: { readonly rect: Rect; readonly view: View },
): Promise<Lack> {
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

/** Of its width: rows with negative margins hang over their boxes by as much on purpose, in every viewport. */
const OVERHANG = 0.05;

/** Runs in the page: closes over nothing. By how much the element is larger than the smallest of the boxes that it is scrolled in. */
function lackInBoxes(selector: string, overhang: number): { width: number; height: number } {
  const element = document.querySelector(selector);
  const lack = { width: 0, height: 0 };
  if (element === null) return lack;
  const { width, height } = element.getBoundingClientRect();
  const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
  const { position: own } = getComputedStyle(element);
  let position = own;
  for (let box = element.parentElement; box !== null && position !== 'fixed'; box = box.parentElement) {
    const style = getComputedStyle(box);
    // A box holds what is placed in it, or in what is placed in it.
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    const ofViewport =
      box === document.documentElement || (box === document.body && getComputedStyle(document.documentElement).overflow === 'visible');
    if (ofViewport) continue;
    if (scrolls(style.overflowX)) lack.width = Math.max(lack.width, width - box.clientWidth);
    if (scrolls(style.overflowY)) lack.height = Math.max(lack.height, height - box.clientHeight);
  }
  if (lack.width <= width * overhang) lack.width = 0;
  return lack;
}
