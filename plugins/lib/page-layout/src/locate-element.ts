import { invalidParameter, PlatenError, type Page, type Rect } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import { pinFixedElements, recordFixedElements, unpinFixedElements } from './restyle-page.js';
import { waitForStablePage, type View } from './wait-for-stable-page.js';

export interface ElementRequest {
  /** The request parameter that names the element, for error messages. */
  readonly key: string;
  readonly selector: string;
}

export interface Located {
  readonly rect: Rect;
  readonly view: View;
  /** The scroll position of the window before the element was shown, in CSS pixels. */
  readonly from: { readonly x: number; readonly y: number };
  /** The element was not in view and was scrolled to. */
  readonly scrolled: boolean;
}

/**
 * The rectangle, in CSS pixels of the document, of the first matching element, once it is painted. An element that is not completely in
 * view is scrolled to the middle of the viewport and stays there, because many things are loaded, laid out and painted only in view (lazy
 * images, cross-site iframes, `content-visibility`, content behind an IntersectionObserver). Fixed boxes stay where they were.
 */
export async function locateElement(page: Page, { key, selector }: ElementRequest): Promise<Located> {
  const found = await page.evaluate(findElement, selector);
  if (found === 'invalid') throw invalidParameter(key, `"${key}" is not a valid CSS selector: ${selector}`);
  if (found === 'missing') throw missing({ key, selector });
  const { inSight, ...from } = found;
  if (!inSight) await recordFixedElements(page);
  const view = inSight ? await waitForStablePage(page, { selector, moved: true }) : await showElement(page, selector);
  const rect = await measureElement(page, { key, selector });
  const located = { rect, view, from, scrolled: !inSight };
  return isWithin(rect, view) ? located : locateOutside(page, { key, selector, ...located });
}

/** Content that is laid out only in view may push the element out of it again. */
const SHOW_TRIES = 3;

async function showElement(page: Page, selector: string): Promise<View> {
  let view = await scrollToElement(page, selector);
  for (let tries = 1; tries < SHOW_TRIES && (await isOutOfViewport(page, selector)); tries += 1)
    view = await scrollToElement(page, selector);
  return view;
}

/** Whether its end or all of it is outside the viewport, although it would fit. */
export function isOutOfViewport(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(isOutside, selector);
}

/** Scrolls the element to the middle of the viewport and waits for content that loads. */
export async function scrollToElement(page: Page, selector: string): Promise<View> {
  await page.evaluate(centerElement, selector);
  await waitForStablePage(page, { selector, moved: true });
  await pinFixedElements(page, selector);
  return waitForStablePage(page, { selector });
}

/** Restores the window's scroll position, and with it the position of fixed boxes. */
export async function restoreScroll(page: Page, { from }: Pick<Located, 'from'>): Promise<void> {
  await unpinFixedElements(page);
  await page.evaluate(scrollBack, from.x, from.y);
}

/** Restores the scroll positions of the element's scroll containers. */
export async function leaveBoxes(page: Page): Promise<void> {
  await page.evaluate(scrollBoxesBack);
}

function isWithin({ x, y }: Rect, { left }: View): boolean {
  return x >= left && y >= 0;
}

/** Content to the left of the document or above it is never painted, at any scroll position: the whole page is moved for it. */
async function locateOutside(page: Page, { key, selector, rect, view, from, scrolled }: ElementRequest & Located): Promise<Located> {
  const by = { x: Math.max(0, Math.ceil(view.left - rect.x)), y: Math.max(0, Math.ceil(-rect.y)) };
  await page.evaluate(movePage, selector, by);
  const moved = await waitForStablePage(page, { moved: true });
  const now = await measureElement(page, { key, selector });
  // An element that keeps moving may have moved a little further meanwhile.
  const shown = { ...now, x: Math.max(now.x, moved.left), y: Math.max(now.y, 0) };
  if (now.x + now.width > moved.left && now.y + now.height > 0) return { rect: shown, view: moved, from, scrolled };
  throw new PlatenError('selector_empty', `"${key}" matched an element beyond the left or top edge of the page: ${selector}`);
}

/** Its current rectangle. Throws `selector_not_found`, and `selector_empty` if it has no area. */
export async function measureElement(page: Page, { key, selector }: ElementRequest): Promise<Rect> {
  const rect = await page.evaluate(rectOf, selector);
  if (rect === null) throw missing({ key, selector });
  if (rect === 'skipped') {
    throw new PlatenError(
      'selector_empty',
      `"${key}" matched an element that currently has no layout, for example in a closed <details>: ${selector}`,
    );
  }
  if (rect.width <= 0 || rect.height <= 0) {
    throw new PlatenError(
      'selector_empty',
      `"${key}" matched an element without area (${String(rect.width)} x ${String(rect.height)}): ${selector}`,
    );
  }
  return rect;
}

function missing({ key, selector }: ElementRequest): PlatenError {
  return new PlatenError('selector_not_found', `"${key}" matched nothing: ${selector}`);
}

/**
 * Runs in the page; must not capture outer variables. Returns the window's scroll position that shows the element, and whether all of it
 * can be seen there.
 */
const findElement = withFlatTree((tree, selector: string): 'invalid' | 'missing' | { x: number; y: number; inSight: boolean } => {
  let element: Element | null;
  try {
    element = document.querySelector(selector);
  } catch {
    return 'invalid';
  }
  if (element === null) return 'missing';
  Reflect.set(globalThis, 'platenFrom', Number(document.timeline.currentTime));
  Reflect.deleteProperty(globalThis, 'platenSeen');
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { offsetLeft: x = 0, offsetTop: y = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  let inSight = left >= x && top >= y && right <= x + width && bottom <= y + height;
  for (const box of tree.ancestors(element)) {
    if (box === document.documentElement || box === document.body) continue;
    const { overflowX, overflowY } = getComputedStyle(box);
    // Boxes that only the page's scripts can scroll are captured as they are.
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    if (!scrolls) continue;
    const frame = box.getBoundingClientRect();
    inSight &&= left >= frame.left && top >= frame.top && right <= frame.right && bottom <= frame.bottom;
  }
  return { x: scrollX, y: scrollY, inSight };
});

/**
 * Runs in the page. Scrolls to the middle, clear of bars at the edges. Does not scroll boxes that clip their overflow and that only the
 * page's own scripts scroll; those of the body scroll the window.
 */
const centerElement = withFlatTree((tree, selector: string): void => {
  const element = document.querySelector(selector);
  if (element === null) return;
  const boxes: { box: Element; left: number; top: number; fixedX: boolean; fixedY: boolean }[] = [];
  for (const box of tree.ancestors(element)) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const { scrollLeft: left, scrollTop: top } = box;
    const ofWindow = box === document.body || box === document.documentElement;
    if (!ofWindow) boxes.push({ box, left, top, fixedX: overflowX === 'hidden', fixedY: overflowY === 'hidden' });
  }
  const recorded: unknown = Reflect.get(globalThis, 'platenScrolls');
  if (!(recorded instanceof Map))
    Reflect.set(globalThis, 'platenScrolls', new Map(boxes.map(({ box, left, top }) => [box, new DOMPoint(left, top)])));
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width: wide, height: high } = element.getBoundingClientRect();
  Reflect.set(globalThis, 'platenSeen', new DOMRect(x + scrollX, y + scrollY, wide, high));

  const strayed = boxes.filter(
    ({ box, left, top, fixedX, fixedY }) => (fixedX && box.scrollLeft !== left) || (fixedY && box.scrollTop !== top),
  );
  for (const { box, left, top, fixedX, fixedY } of strayed) {
    box.scrollTo({ behavior: 'instant', ...(fixedX ? { left } : {}), ...(fixedY ? { top } : {}) });
  }
  if (strayed.length === 0) return;
  // Centers only the part of the element that its boxes show.
  let { left, top, right, bottom } = element.getBoundingClientRect();
  const moveBy = (box: Element | Window, x: number, y: number): void => {
    const [beforeX, beforeY] = [element.getBoundingClientRect().x, element.getBoundingClientRect().y];
    box.scrollBy({ left: x, top: y, behavior: 'instant' });
    const { x: nowX, y: nowY } = element.getBoundingClientRect();
    [left, right, top, bottom] = [left + nowX - beforeX, right + nowX - beforeX, top + nowY - beforeY, bottom + nowY - beforeY];
  };
  for (const { box, fixedX, fixedY } of boxes) {
    const frame = box.getBoundingClientRect();
    moveBy(box, fixedX ? 0 : (left + right - frame.left - frame.right) / 2, fixedY ? 0 : (top + bottom - frame.top - frame.bottom) / 2);
    if (fixedX) [left, right] = [Math.max(left, Math.min(frame.left, right)), Math.min(right, Math.max(frame.right, left))];
    if (fixedY) [top, bottom] = [Math.max(top, Math.min(frame.top, bottom)), Math.min(bottom, Math.max(frame.bottom, top))];
  }
  const { offsetLeft = 0, offsetTop = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  moveBy(window, (left + right - width) / 2 - offsetLeft, (top + bottom - height) / 2 - offsetTop);
});

/** Runs in the page. */
function scrollBoxesBack(): void {
  const recorded: unknown = Reflect.get(globalThis, 'platenScrolls');
  for (const [box, place] of recorded instanceof Map ? recorded : []) {
    if (box instanceof Element && place instanceof DOMPoint) box.scrollTo({ left: place.x, top: place.y, behavior: 'instant' });
  }
  Reflect.deleteProperty(globalThis, 'platenScrolls');
}

/** Runs in the page. */
function isOutside(selector: string): boolean {
  const rect = document.querySelector(selector)?.getBoundingClientRect();
  if (rect === undefined) return false;
  const out = rect.top < -1 || rect.bottom > innerHeight + 1;
  return rect.height > innerHeight ? rect.top >= innerHeight || rect.bottom <= 0 : out;
}

/** Runs in the page. */
function scrollBack(x: number, y: number): void {
  scrollTo({ left: x, top: y, behavior: 'instant' });
}

/**
 * Runs in the page. Uses our own style sheet, which no attribute or observer reveals. Fixed boxes are relative to the root once it is
 * moved, so the root must be as high as the viewport.
 */
const movePage = withFlatTree((tree, selector: string, { x, y }: { readonly x: number; readonly y: number }): void => {
  const element = document.querySelector(selector);
  if (element === null) return;
  const fixed = [element, ...tree.ancestors(element)].some((at) => getComputedStyle(at).position === 'fixed');
  const sheet = new CSSStyleSheet();
  const height = fixed ? 'height: 100vh !important;' : '';
  sheet.replaceSync(`:root { translate: ${String(x)}px ${String(y)}px !important; transition: none !important; ${height} }`);
  document.adoptedStyleSheets.push(sheet);
});

function rectOf(selector: string): Rect | 'skipped' | null {
  const element = document.querySelector(selector);
  if (element === null) return null;
  const { x, y, width, height } = element.getBoundingClientRect();
  // Skipped content has its last or its estimated rectangle; an element without a box has none.
  if (width > 0 && height > 0 && !element.checkVisibility()) return 'skipped';
  return { x: x + scrollX, y: y + scrollY, width, height };
}
