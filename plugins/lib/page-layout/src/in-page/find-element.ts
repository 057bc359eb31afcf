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
  let isInView = left >= x && top >= y && right <= x + width && bottom <= y + height;
  for (const box of tree.ancestors(element)) {
    if (box === document.documentElement || box === document.body) continue;
    const { overflowX, overflowY } = getComputedStyle(box);
    // Boxes that only the page's scripts can scroll are captured as they are.
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    if (!scrolls) continue;
    const frame = box.getBoundingClientRect();
    isInView &&= left >= frame.left && top >= frame.top && right <= frame.right && bottom <= frame.bottom;
  }
  return { x: scrollX, y: scrollY, isInView: isInView && !isClipped(tree, element) };
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

/** Whether boxes hide all of the element, such as a slide that is not the current one. */
function isClipped(tree: FlatTree, element: Element): boolean {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (const [box, { overflowX, overflowY, display }] of clippingBoxes(tree, element)) {
    if (display === 'inline' || display === 'contents') continue;
    const frame = box.getBoundingClientRect();
    if (overflowX !== 'visible') [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
    if (overflowY !== 'visible') [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
  }
  return right - left < 1 || bottom - top < 1;
}

/** Arguments passed into the page, as JSON. */
interface VisibleRequest {
  readonly selector: string;
  readonly limitMs: number;
}

/** Waits until the page shows the element: a script may be about to do so. Returns whether it does. */
export async function waitUntilVisible({ selector, limitMs }: VisibleRequest): Promise<boolean> {
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
  const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
  for (const [box, { overflowX, overflowY }] of clippingBoxes(new FlatTree(), element)) {
    if (scrolls(overflowX)) lack.width = Math.max(lack.width, width - box.clientWidth);
    if (scrolls(overflowY)) lack.height = Math.max(lack.height, height - box.clientHeight);
  }
  if (lack.width <= width * overhang) lack.width = 0;
  return lack;
}
