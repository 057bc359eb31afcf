import type { Rect } from '@platen/kernel';
import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import { world } from './world.js';

/**
 * Returns the window's scroll position that shows the element, and whether all of it
 * can be seen there.
 */
export function findElement(selector: string): 'invalid' | 'missing' | { x: number; y: number; isInView: boolean } {
  const tree = new FlatTree();
  let element: Element | null;
  try {
    element = document.querySelector(selector);
  } catch {
    return 'invalid';
  }
  if (element === null) return 'missing';
  world.platenFrom = Number(document.timeline.currentTime);
  world.platenSeen = undefined;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { offsetLeft: x = 0, offsetTop: y = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  const isInViewport = left >= x && top >= y && right <= x + width && bottom <= y + height;
  // Boxes that only the page's scripts can scroll are captured as they are.
  const part = shownPart(tree, element, scrolls);
  const isWhole = part.left <= left && part.top <= top && part.right >= right && part.bottom >= bottom;
  return { x: scrollX, y: scrollY, isInView: isInViewport && isWhole && !isClipped(tree, element) };
}

export function rectOf(selector: string): Rect | 'skipped' | null {
  const element = document.querySelector(selector);
  if (element === null) return null;
  const { x, y, width, height } = element.getBoundingClientRect();
  // Skipped content has its last or its estimated rectangle; an element without a box has none.
  if (width > 0 && height > 0 && !element.checkVisibility()) return 'skipped';
  return { x: x + scrollX, y: y + scrollY, width, height };
}

export function isOutside(selector: string): boolean {
  const rect = document.querySelector(selector)?.getBoundingClientRect();
  if (rect === undefined) return false;
  const out = rect.top < -1 || rect.bottom > innerHeight + 1;
  return rect.height > innerHeight ? rect.top >= innerHeight || rect.bottom <= 0 : out;
}

/** The boxes that may clip the element: those that contain it, without the viewport's own. */
function clippingBoxes(tree: FlatTree, element: Element): readonly (readonly [box: Element, style: CSSStyleDeclaration])[] {
  const boxes: (readonly [Element, CSSStyleDeclaration])[] = [];
  let { position } = getComputedStyle(element);
  for (const box of tree.ancestors(element)) {
    if (position === 'fixed') break;
    const style = getComputedStyle(box);
    // A box contains the elements positioned in it, directly or indirectly.
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    const ofViewport =
      box === document.documentElement || (box === document.body && getComputedStyle(document.documentElement).overflow === 'visible');
    if (!ofViewport) boxes.push([box, style]);
  }
  return boxes;
}

/** Edges in the viewport of the part of an element that the boxes around it show, if they have such an overflow. */
function shownPart(tree: FlatTree, element: Element, isClipping: (overflow: string) => boolean) {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (const [box, { overflowX, overflowY, display }] of clippingBoxes(tree, element)) {
    if (!(box instanceof HTMLElement) || display === 'inline' || display === 'contents') continue;
    const frame = box.getBoundingClientRect();
    const inner = { left: frame.left + box.clientLeft, top: frame.top + box.clientTop };
    if (isClipping(overflowX)) [left, right] = [Math.max(left, inner.left), Math.min(right, inner.left + box.clientWidth)];
    if (isClipping(overflowY)) [top, bottom] = [Math.max(top, inner.top), Math.min(bottom, inner.top + box.clientHeight)];
  }
  return { left, top, right, bottom };
}

/** The size of the part that scroll containers show; null if that is not the element's beginning. */
export function seenInBoxes(selector: string): { width: number; height: number } | null {
  const element = document.querySelector(selector);
  if (element === null) return null;
  const whole = element.getBoundingClientRect();
  const { left, top, right, bottom } = shownPart(new FlatTree(), element, scrolls);
  // A margin may overflow the box.
  const begins = left - whole.left <= Math.max(1, whole.width * 0.05) && top - whole.top <= 1;
  return begins && right > left && bottom > top ? { width: right - whole.left, height: bottom - whole.top } : null;
}

function scrolls(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

/** Whether boxes hide all of the element, such as a slide that is not the current one. */
function isClipped(tree: FlatTree, element: Element): boolean {
  const { left, top, right, bottom } = shownPart(tree, element, (overflow) => overflow !== 'visible');
  return right - left < 1 || bottom - top < 1;
}

/** Waits until the page shows the element: a script may be about to do so. Returns whether it does. */
export async function waitUntilVisible(selector: string, limitMs: number): Promise<boolean> {
  const tree = new FlatTree();
  const ending = performance.now() + limitMs;
  const isVisible = (): boolean => {
    const element = document.querySelector(selector);
    if (element === null) return true;
    const painted = [element, ...tree.elements(element)].some((at) =>
      at.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    );
    return painted && !isClipped(tree, element);
  };
  while (!isVisible() && performance.now() < ending) await nextFrame();
  return isVisible();
}

/** By how much the element is larger than the smallest of its scroll containers. */
export function lackInBoxes(selector: string, overhang: number): { width: number; height: number } {
  const element = document.querySelector(selector);
  const lack = { width: 0, height: 0 };
  if (element === null) return lack;
  const { width, height } = element.getBoundingClientRect();
  for (const [box, { overflowX, overflowY }] of clippingBoxes(new FlatTree(), element)) {
    if (scrolls(overflowX)) lack.width = Math.max(lack.width, width - box.clientWidth);
    if (scrolls(overflowY)) lack.height = Math.max(lack.height, height - box.clientHeight);
  }
  if (lack.width <= width * overhang) lack.width = 0;
  return lack;
}
