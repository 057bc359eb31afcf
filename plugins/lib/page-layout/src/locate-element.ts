import { invalidParameter, PlatenError, type Page, type Rect } from '@platen/kernel';
import { centerElement, findElement, isOutside, movePage, rectOf, scrollBack, scrollBoxesBack, waitUntilVisible } from './in-page/index.js';
import type { View } from './in-page/wait-for-stable.js';
import { pinFixedElements, recordFixedElements, unpinFixedElements } from './restyle-page.js';
import { waitForStablePage } from './wait-for-stable-page.js';

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
  const { isInView, ...from } = found;
  if (!isInView) await recordFixedElements(page);
  const view = isInView ? await waitForStablePage(page, { selector, moved: true }) : await showElement(page, selector);
  const rect = await measureElement(page, { key, selector });
  const located = { rect, view, from, scrolled: !isInView };
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

/** Milliseconds in which an element that is hidden by its opacity or a box around it may appear. */
const APPEARS_MS = 1_000;

/** Throws `selector_empty` if the page shows nothing of the element, such as a slide that is not the current one. */
export async function assertVisible(page: Page, { key, selector }: ElementRequest): Promise<void> {
  if (await page.evaluate(waitUntilVisible, selector, APPEARS_MS)) return;
  throw new PlatenError(
    'selector_empty',
    `"${key}" matched an element that the page hides, such as a slide that is not the current one: make it visible with "javascript", or request the box around it: ${selector}`,
  );
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
