import type { ScrollSegment } from './frame.js';

/**
 * Runs in the page; must not capture outer variables. Records the positions of all elements without children, before the page is
 * scrolled.
 */
export function recordPositions(): void {
  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  // Scroll-driven animations move elements within the page, not with it.
  const placed = document
    .getAnimations()
    .filter(({ timeline }) => timeline !== null && !(timeline instanceof DocumentTimeline))
    .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null));
  const anchored = (element: Element): boolean => ['fixed', 'sticky'].includes(getComputedStyle(element).position);
  const places = new Map<Element, DOMRect>();
  for (const element of all(document)) {
    if (element.childElementCount > 0 || element.shadowRoot !== null || anchored(element)) continue;
    if (placed.some((target) => target?.contains(element) === true)) continue;
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width > 1 && height > 1) places.set(element, new DOMRect(x + scrollX, y + scrollY, width, height));
  }
  Reflect.set(globalThis, 'platenStrips', places);
}

/**
 * Runs in the page; must not capture outer variables. By how many CSS pixels of the document most of the strip's content has moved down.
 */
export function measureLayoutShift({ top, bottom }: ScrollSegment): number {
  const noted: unknown = Reflect.get(globalThis, 'platenStrips');
  const heights = new Map<number, number>();
  for (const [element, place] of noted instanceof Map ? noted : []) {
    if (!(element instanceof Element && element.isConnected && place instanceof DOMRect)) continue;
    const shared = Math.min(bottom, place.bottom) - Math.max(top, place.top);
    if (shared <= 0) continue;
    const by = Math.round((element.getBoundingClientRect().top + scrollY - place.top) * 64) / 64;
    heights.set(by, (heights.get(by) ?? 0) + shared);
  }
  const [most = [0, 0]] = Array.from(heights).sort(([, one], [, other]) => other - one);
  return most[0];
}
