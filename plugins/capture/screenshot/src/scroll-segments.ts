import { addSourceUrl, type Page, type TargetSession } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import {
  pinFixedElements,
  recordFixedElements,
  restoreScroll,
  settleAnimations,
  type View,
  waitForStablePage,
} from '@platen/lib-page-layout';
import type { Region, ScrollSegment } from './frame.js';
import { FRAMES_DRAW_MS, MOST_STRIPS, SCROLL_WAITS_MS, STRIP_SETTLES_MS, TOGETHER } from './limits.js';

/**
 * The strips of a region that must be in view to be painted: cross-site iframes, which draw nothing out of view, and elements animated by
 * their position in the viewport, which must be in its middle.
 */
export async function findScrollSegments(page: Page, { y, height }: Region, view: View): Promise<readonly ScrollSegment[]> {
  const viewHeight = page.profile.height / view.scale;
  const shown = { top: view.y, bottom: view.y + viewHeight };
  const isShown = ({ top, bottom, placed }: ScrollSegment) =>
    placed ? (top + bottom) / 2 <= shown.top + viewHeight / 2 && top >= shown.top : top >= shown.top && bottom <= shown.bottom;
  const spans = (await page.evaluate(paintedInView))
    .filter((span) => !isShown(span))
    .map((span) => ({ ...span, top: Math.max(span.top, y), bottom: Math.min(span.bottom, y + height) }))
    .filter(({ top, bottom }) => bottom > top)
    .sort((one, other) => one.top - other.top);
  const most = viewHeight * Math.min(1, Math.max(TOGETHER, height / viewHeight / MOST_STRIPS));
  const groups = spans.reduce<readonly Span[]>((segments, span) => {
    const last = segments.at(-1);
    if (last === undefined) return [span];
    const reach = { top: Math.min(last.reach.top, span.reach.top), bottom: Math.max(last.reach.bottom, span.reach.bottom) };
    const both = { top: last.top, bottom: Math.max(last.bottom, span.bottom), placed: last.placed || span.placed, reach };
    const small = both.bottom - both.top <= most;
    const together = both.placed ? small || span.top < last.bottom - 1 : span.top <= last.bottom;
    return together ? [...segments.slice(0, -1), both] : [...segments, span];
  }, []);
  // Includes the areas around the strips that are painted while out of view and empty while in view.
  return groups.reduce<readonly ScrollSegment[]>((segments, { top, bottom, placed, reach }, index) => {
    const from = Math.max(Math.min(top, reach.top), segments.at(-1)?.bottom ?? y);
    const to = Math.min(Math.max(bottom, reach.bottom), groups[index + 1]?.top ?? y + height);
    return [...segments, { top: from, bottom: to, placed }];
  }, []);
}

/** A strip, and the place where its content is painted while it is out of view. */
interface Span extends ScrollSegment {
  readonly reach: Omit<ScrollSegment, 'placed'>;
}

export interface ShownStrip {
  /** By how many CSS pixels it has moved down. */
  readonly shift: number;
  /** The whole strip is in view; false if the page moves back after scrolling. */
  readonly inView: boolean;
}

/** Captures strips that are in view. Fixed elements are drawn where they are without scrolling. */
export interface SegmentScroller extends AsyncDisposable {
  /**
   * Brings a strip into view, and waits until it is painted. If scrolling changes the layout, for example because a header becomes fixed
   * and leaves the flow, the strip has a new position.
   */
  show(strip: ScrollSegment): Promise<ShownStrip>;
}

export async function startSegmentScroller(page: Page): Promise<SegmentScroller> {
  const from = await page.evaluate(whereScrolled);
  const ending = performance.now() + SCROLL_WAITS_MS;
  await recordFixedElements(page);
  await page.evaluate(recordPositions);
  const show = async (middle: number): Promise<void> => {
    await page.evaluate(scrollToMiddle, middle);
    await waitForStablePage(page, { moved: true });
    await pinFixedElements(page);
    await framesDrawn(page, Math.min(FRAMES_DRAW_MS, ending - performance.now()));
    await waitForStablePage(page, { moved: true });
    const leftMs = ending - performance.now();
    if (leftMs > 0) await settleAnimations(page, { limitMs: Math.min(STRIP_SETTLES_MS, leftMs) });
  };
  return {
    async show(strip) {
      const middle = (strip.top + strip.bottom) / 2;
      await show(middle);
      const shift = await page.evaluate(measureLayoutShift, strip);
      if (Math.abs(shift) < 1) return { shift: 0, inView: true };
      await show(middle + shift);
      const now = await page.evaluate(measureLayoutShift, strip);
      return { shift: now, inView: await page.evaluate(isInView, { top: strip.top + now, bottom: strip.bottom + now }) };
    },
    [Symbol.asyncDispose]: () => restoreScroll(page, { from }),
  };
}

/** Waits until all cross-site iframes in view have drawn, or until the time is over. Iframes out of view do not report. */
export async function framesDrawn({ frameTargets, evaluate }: Page, limitMs: number): Promise<void> {
  const [, ...frames] = frameTargets();
  const wanted = frames.length === 0 ? 0 : Math.min(frames.length, await evaluate(countFramesInView));
  if (wanted === 0 || limitMs <= 0) return;
  await new Promise<void>((resolve) => {
    const limit = setTimeout(resolve, limitMs);
    let drawn = 0;
    for (const frame of frames) {
      drawsTwice(frame, limitMs).then(
        () => {
          drawn += 1;
          if (drawn < wanted) return;
          clearTimeout(limit);
          resolve();
        },
        () => undefined,
      );
    }
  });
}

function drawsTwice(frame: TargetSession, timeoutMs: number): Promise<unknown> {
  const expression = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))';
  return frame.send('Runtime.evaluate', { expression: addSourceUrl(expression), awaitPromise: true }, { timeoutMs });
}

function whereScrolled(): { x: number; y: number } {
  return { x: scrollX, y: scrollY };
}

/** Runs in the page; must not capture outer variables. */
function scrollToMiddle(middle: number): void {
  scrollTo({ left: scrollX, top: middle - innerHeight / 2, behavior: 'instant' });
}

/** Runs in the page; must not capture outer variables. */
function isInView({ top, bottom }: Omit<ScrollSegment, 'placed'>): boolean {
  return top >= scrollY - 1 && bottom <= scrollY + innerHeight + 1;
}

/** Runs in the page; must not capture outer variables. In CSS pixels of the document. */
const paintedInView = withFlatTree((tree): Span[] => {
  const spans: Span[] = [];
  const add = (element: Element): void => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    // A tracking pixel has no visible content.
    const span = { top: top + scrollY, bottom: bottom + scrollY };
    if (width > 1 && height > 1) spans.push({ ...span, placed: false, reach: span });
  };
  /** Its position after the animation has moved it into place. */
  const addPlaced = (element: Element): void => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    const { transform, translate } = getComputedStyle(element);
    const moved = new DOMMatrixReadOnly(transform).f + (parseFloat(translate.split(' ')[1] ?? '') || 0);
    const half = (element instanceof HTMLElement ? element.offsetHeight : height) / 2;
    const middle = (top + bottom) / 2 + scrollY - moved;
    const reach = { top: top + scrollY, bottom: bottom + scrollY };
    if (width > 1 && half > 0.5) spans.push({ top: middle - half, bottom: middle + half, placed: true, reach });
  };
  /** Whether a frame's document is inaccessible, or contains such a frame. */
  const isForeign = (frame: HTMLIFrameElement | HTMLObjectElement): boolean => {
    if (frame.contentWindow === null) return false;
    return frame.contentDocument === null || holders(frame.contentDocument).length > 0;
  };
  const holders = (root: Document): readonly Element[] =>
    tree
      .trees(root)
      .flatMap((inner) => Array.from(inner.querySelectorAll<HTMLIFrameElement | HTMLObjectElement>('iframe, frame, object')))
      .filter(isForeign);
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const frame of holders(document).filter(visible)) add(frame);
  // Transparent elements are included, because an element that is transparent out of view must be captured in view.
  const placed = new Set<Element>();
  for (const { timeline, effect } of tree.trees(document).flatMap((root) => root.getAnimations())) {
    const subject: unknown = timeline === null ? undefined : Reflect.get(timeline, 'subject');
    if (!(subject instanceof Element)) continue;
    placed.add(subject);
    if (effect instanceof KeyframeEffect && effect.target !== null) placed.add(effect.target);
  }
  for (const element of placed) addPlaced(element);
  return spans;
});

/** Runs in the page; must not capture outer variables. */
function countFramesInView(): number {
  return Array.from(document.querySelectorAll('iframe')).filter((frame) => {
    const { top, bottom, width } = frame.getBoundingClientRect();
    return frame.contentDocument === null && width > 0 && top < innerHeight && bottom > 0;
  }).length;
}

/**
 * Runs in the page; must not capture outer variables. Records the positions of all elements without children, before the page is
 * scrolled.
 */
const recordPositions = withFlatTree((tree): void => {
  // Scroll-driven animations move elements within the page, not with it.
  const placed = document
    .getAnimations()
    .filter(({ timeline }) => timeline !== null && !(timeline instanceof DocumentTimeline))
    .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null));
  const anchored = (element: Element): boolean => ['fixed', 'sticky'].includes(getComputedStyle(element).position);
  const places = new Map<Element, DOMRect>();
  for (const element of tree.elements(document)) {
    if (element.childElementCount > 0 || element.shadowRoot !== null || anchored(element)) continue;
    if (placed.some((target) => target?.contains(element) === true)) continue;
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width > 1 && height > 1) places.set(element, new DOMRect(x + scrollX, y + scrollY, width, height));
  }
  Reflect.set(globalThis, 'platenStrips', places);
});

/**
 * Runs in the page; must not capture outer variables. By how many CSS pixels of the document most of the strip's content has moved down.
 */
function measureLayoutShift({ top, bottom }: ScrollSegment): number {
  const recorded: unknown = Reflect.get(globalThis, 'platenStrips');
  const heights = new Map<number, number>();
  for (const [element, place] of recorded instanceof Map ? recorded : []) {
    if (!(element instanceof Element && element.isConnected && place instanceof DOMRect)) continue;
    const shared = Math.min(bottom, place.bottom) - Math.max(top, place.top);
    if (shared <= 0) continue;
    const by = Math.round((element.getBoundingClientRect().top + scrollY - place.top) * 64) / 64;
    heights.set(by, (heights.get(by) ?? 0) + shared);
  }
  const [most = [0, 0]] = Array.from(heights).sort(([, one], [, other]) => other - one);
  return most[0];
}
