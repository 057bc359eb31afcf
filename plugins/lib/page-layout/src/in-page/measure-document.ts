import { FlatTree } from '@platen/lib-page-functions';

/** Extent of a document, in CSS pixels. */
export interface Extent {
  /** Viewport height at which the whole page is visible. */
  readonly height: number;
  /** The part of that height that is hidden in a scroll container: 0 if the document itself scrolls. */
  readonly hidden: number;
  /**
   * Viewport width for a document with vertical writing that overflows horizontally and is not higher than the viewport. Null for all
   * others.
   */
  readonly width: number | null;
  /** Zoom factor of the page in its viewport. */
  readonly scale: number;
  /** The document is at least as high as the viewport. */
  readonly filled: boolean;
  /** Some content is not laid out while off screen (`content-visibility: auto`) and has an estimated height until then. */
  readonly deferred: boolean;
  /** A finite transition or animation is in progress. */
  readonly animated: boolean;
  /** An animation depends on the scroll position and is not at its end. */
  readonly placed: boolean;
}

/**
 * Whether a box contains most of a page: its content overflows it, and it fills half of
 * a viewport of that height. Overflow that the body hides is hidden for the window, as behind a dialog.
 */
export function isPageScroller(element: Element, height: number): boolean {
  // Most elements have no overflow: reads nothing more of them.
  if (element.scrollHeight <= element.clientHeight + 1) return false;
  if (element.clientHeight < height / 2 || element.clientWidth < innerWidth / 2) return false;
  const { overflowY } = getComputedStyle(element);
  return overflowY === 'auto' || overflowY === 'scroll' || (overflowY === 'hidden' && element === document.body);
}

/**
 * `view`: the height of the viewport, half of which a box must fill to count; null: the
 * current height.
 */
export function measureDocument(view: number | null): Extent {
  const { documentElement, scrollingElement, body } = document;
  const trees = new FlatTree().trees(document);
  const all = trees.flatMap((root) => Array.from(root.querySelectorAll('*')));
  const animations = trees.flatMap((root) => root.getAnimations());
  const ends = ({ effect, timeline, playState }: Animation): boolean =>
    playState === 'running' && timeline instanceof DocumentTimeline && Number.isFinite(Number(effect?.getComputedTiming().endTime));
  const goesOn = ({ effect, timeline }: Animation): boolean =>
    timeline !== null && Reflect.get(timeline, 'subject') instanceof Element && (effect?.getComputedTiming().progress ?? 1) < 1;

  const height = Math.max(documentElement.scrollHeight, scrollingElement?.scrollHeight ?? 0);
  const extent = {
    height,
    hidden: 0,
    width: null,
    scale: window.visualViewport?.scale ?? 1,
    filled: documentElement.getBoundingClientRect().bottom + scrollY >= innerHeight - 1,
    deferred: all.some((element) => getComputedStyle(element).contentVisibility === 'auto'),
    animated: animations.some(ends),
    placed: animations.some(goesOn),
  };
  // The body's overflow applies to the viewport.
  const { writingMode } = getComputedStyle(body instanceof HTMLBodyElement ? body : documentElement);
  const width = Math.max(documentElement.scrollWidth, scrollingElement?.scrollWidth ?? 0);
  const sideways = !writingMode.startsWith('horizontal') && width - innerWidth > Math.max(1, height - innerHeight);
  if (sideways) return { ...extent, height: innerHeight, width };
  if (height > innerHeight + 1) return extent;

  const hidden = all
    .filter((element) => isPageScroller(element, view ?? innerHeight))
    .map((element) => element.scrollHeight - element.clientHeight);
  const most = Math.max(0, ...hidden);
  return { ...extent, height: height + most, hidden: most };
}

/**
 * Two loads with the same result have the same content, as far as their height is
 * concerned.
 */
export function weighContent(): string {
  const { length } = document.documentElement.textContent;
  return `${String(document.getElementsByTagName('*').length)} elements, ${String(length)} characters`;
}
