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
  return { rect: await measureElement(page, { key, selector }), view };
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

function rectOf(selector: string): Rect | null {
  const rect = document.querySelector(selector)?.getBoundingClientRect();
  return rect === undefined ? null : { x: rect.x + scrollX, y: rect.y + scrollY, width: rect.width, height: rect.height };
}
