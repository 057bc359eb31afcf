import { invalidParameter, PlatenError, type Page, type Rect } from '@platen/kernel';
import { settlePage, type View } from './settle-page.js';

export interface ElementRequest {
  /** The request key that names the element: for errors. */
  readonly key: string;
  readonly selector: string;
}

export interface Located {
  readonly rect: Rect;
  readonly view: View;
}

/**
 * The rectangle, in CSS pixels of the document, of the first element that matches, once it is painted. An element out of
 * sight is shown for a moment, so that its lazy images load, and the page is then scrolled back to where it was.
 */
export async function locateElement(page: Page, { key, selector }: ElementRequest): Promise<Located> {
  const found = await page.evaluate(showElement, selector);
  if (found === 'invalid') throw invalidParameter(key, `"${key}" is not a valid CSS selector: ${selector}`);
  if (found === 'missing') throw missing({ key, selector });
  const shown = await settlePage(page, { selector, moved: true });
  const view = (await page.evaluate(scrollBack, found.x, found.y)) ? await settlePage(page, { moved: true }) : shown;
  const rect = await measureElement(page, { key, selector });
  if (isWithin(rect, view)) return { rect, view };
  return locateOutside(page, { key, selector, rect, view });
}

function isWithin({ x, y }: Rect, { left }: View): boolean {
  return x >= left && y >= 0;
}

/** What begins left of the document or above it is painted nowhere, wherever one scrolls to: the page as a whole is moved for it. */
async function locateOutside(page: Page, { key, selector, rect, view }: ElementRequest & Located): Promise<Located> {
  const by = { x: Math.max(0, Math.ceil(view.left - rect.x)), y: Math.max(0, Math.ceil(-rect.y)) };
  await page.evaluate(movePage, selector, by);
  const moved = await settlePage(page, { moved: true });
  const now = await measureElement(page, { key, selector });
  // One that keeps moving may have gone a little further meanwhile.
  const shown = { ...now, x: Math.max(now.x, moved.left), y: Math.max(now.y, 0) };
  if (now.x + now.width > moved.left && now.y + now.height > 0) return { rect: shown, view: moved };
  throw new PlatenError(
    'selector_empty',
    `"${key}" matched an element that lies left of the page or above it, where nothing can be seen: ${selector}`,
  );
}

/** Its rectangle as it is now. Throws `selector_not_found`, and `selector_empty` where it has no area. */
export async function measureElement(page: Page, { key, selector }: ElementRequest): Promise<Rect> {
  const rect = await page.evaluate(rectOf, selector);
  if (rect === null) throw missing({ key, selector });
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

/** Runs in the page: closes over nothing. Answers where the window was scrolled to. */
function showElement(selector: string): 'invalid' | 'missing' | { x: number; y: number } {
  let element: Element | null;
  try {
    element = document.querySelector(selector);
  } catch {
    return 'invalid';
  }
  if (element === null) return 'missing';
  const position = { x: scrollX, y: scrollY };
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  return position;
}

/** Runs in the page. Answers whether there was anything to scroll. */
function scrollBack(x: number, y: number): boolean {
  const scrolled = scrollX !== x || scrollY !== y;
  scrollTo({ left: x, top: y, behavior: 'instant' });
  return scrolled;
}

/**
 * Runs in the page. By a style sheet of our own, which no attribute and no observer tells of. What is fixed keeps to the root once
 * that is moved, which then must be as high as the viewport.
 */
function movePage(selector: string, { x, y }: { readonly x: number; readonly y: number }): void {
  let fixed = false;
  for (let element = document.querySelector(selector); element !== null; element = element.parentElement) {
    fixed ||= getComputedStyle(element).position === 'fixed';
  }
  const sheet = new CSSStyleSheet();
  const height = fixed ? 'height: 100vh !important;' : '';
  sheet.replaceSync(`:root { translate: ${String(x)}px ${String(y)}px !important; transition: none !important; ${height} }`);
  document.adoptedStyleSheets.push(sheet);
}

function rectOf(selector: string): Rect | null {
  const rect = document.querySelector(selector)?.getBoundingClientRect();
  return rect === undefined ? null : { x: rect.x + scrollX, y: rect.y + scrollY, width: rect.width, height: rect.height };
}
