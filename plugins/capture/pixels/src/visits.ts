import { nameOwnScript, type Page, type TargetSession } from '@platen/kernel';
import { keepAnchored, leaveElement, noteAnchored, settleAnimations, settlePage, type View } from '@platen/lib-geometry';
import type { Region, Visit } from './frame.js';
import { FRAMES_DRAW_MS, TOUR_WAITS_MS } from './limits.js';
import { measureStripShift, notePlaces } from './strip-shift.js';

/**
 * The strips of a region that must be in view to be painted: frames of other sites, which draw nothing out of sight, and what is animated
 * by its place in the viewport.
 */
export async function findVisits(page: Page, { y, height }: Region, view: View): Promise<readonly Visit[]> {
  const shown = { top: view.y, bottom: view.y + page.profile.height / view.scale };
  const spans = (await page.evaluate(paintedInView))
    .filter(({ top, bottom }) => top < shown.top || bottom > shown.bottom)
    .map(({ top, bottom }) => ({ top: Math.max(top, y), bottom: Math.min(bottom, y + height) }))
    .filter(({ top, bottom }) => bottom > top)
    .sort((one, other) => one.top - other.top);
  return spans.reduce<readonly Visit[]>((merged, span) => {
    const last = merged.at(-1);
    if (last === undefined || span.top > last.bottom) return [...merged, span];
    return [...merged.slice(0, -1), { top: last.top, bottom: Math.max(last.bottom, span.bottom) }];
  }, []);
}

export interface ShownStrip {
  /** By how many CSS pixels it lies further down than it did. */
  readonly shift: number;
  /** All of it; not where the page moves back as one scrolls after it. */
  readonly inView: boolean;
}

/** Pictures of strips that are in view, with what is fixed to the window drawn where it is without scrolling. */
export interface Tour extends AsyncDisposable {
  /**
   * Brings a strip into view, and waits until it is painted. Where a page moves as it is scrolled, as it does when its head becomes fixed
   * and leaves the flow, a strip lies elsewhere then.
   */
  show(strip: Visit): Promise<ShownStrip>;
}

export async function startTour(page: Page): Promise<Tour> {
  const from = await page.evaluate(whereScrolled);
  const ending = performance.now() + TOUR_WAITS_MS;
  await noteAnchored(page);
  await page.evaluate(notePlaces);
  const show = async (middle: number): Promise<void> => {
    await page.evaluate(scrollToMiddle, middle);
    await settlePage(page, { moved: true });
    await keepAnchored(page);
    await framesDrawn(page, Math.min(FRAMES_DRAW_MS, ending - performance.now()));
    await settlePage(page, { moved: true });
    if (performance.now() < ending) await settleAnimations(page);
  };
  return {
    async show(strip) {
      const middle = (strip.top + strip.bottom) / 2;
      await show(middle);
      const shift = await page.evaluate(measureStripShift, strip);
      if (Math.abs(shift) < 1) return { shift: 0, inView: true };
      await show(middle + shift);
      const now = await page.evaluate(measureStripShift, strip);
      return { shift: now, inView: await page.evaluate(isInView, { top: strip.top + now, bottom: strip.bottom + now }) };
    },
    [Symbol.asyncDispose]: () => leaveElement(page, { from }),
  };
}

/** As many frames of other sites as are in view have drawn, or the time is over. Those that are not in view say nothing. */
export async function framesDrawn({ targets, evaluate }: Page, limitMs: number): Promise<void> {
  const frames = targets.all.filter(({ kind }) => kind === 'iframe');
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
  return frame.send('Runtime.evaluate', { expression: nameOwnScript(expression), awaitPromise: true }, { timeoutMs });
}

function whereScrolled(): { x: number; y: number } {
  return { x: scrollX, y: scrollY };
}

/** Runs in the page: closes over nothing. */
function scrollToMiddle(middle: number): void {
  scrollTo({ left: scrollX, top: middle - innerHeight / 2, behavior: 'instant' });
}

/** Runs in the page: closes over nothing. */
function isInView({ top, bottom }: Visit): boolean {
  return top >= scrollY - 1 && bottom <= scrollY + innerHeight + 1;
}

/** Runs in the page: closes over nothing. In CSS pixels of the document. */
function paintedInView(): { top: number; bottom: number }[] {
  const spans: { top: number; bottom: number }[] = [];
  const add = (element: Element): void => {
    const { top, bottom, width, height } = element.getBoundingClientRect();
    // Of what only counts visitors there is nothing to see.
    if (width > 1 && height > 1) spans.push({ top: top + scrollY, bottom: bottom + scrollY });
  };
  /** Of a frame whose document cannot be looked into, or holds such a frame. */
  const isForeign = (frame: HTMLIFrameElement | HTMLObjectElement): boolean => {
    if (frame.contentWindow === null) return false;
    return frame.contentDocument === null || holders(frame.contentDocument).length > 0;
  };
  const holders = (root: ParentNode): readonly Element[] => {
    const frames = root.querySelectorAll<HTMLIFrameElement | HTMLObjectElement>('iframe, frame, object');
    const shadows = Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot).filter((inner) => inner !== null);
    return [...Array.from(frames).filter(isForeign), ...shadows.flatMap((inner) => holders(inner))];
  };
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  for (const frame of holders(document).filter(visible)) add(frame);
  // What is transparent out of view is the reason to look at it in view.
  for (const { timeline } of document.getAnimations()) {
    const subject: unknown = timeline === null ? undefined : Reflect.get(timeline, 'subject');
    if (subject instanceof Element) add(subject);
  }
  return spans;
}

/** Runs in the page: closes over nothing. */
function countFramesInView(): number {
  return Array.from(document.querySelectorAll('iframe')).filter((frame) => {
    const { top, bottom, width } = frame.getBoundingClientRect();
    return frame.contentDocument === null && width > 0 && top < innerHeight && bottom > 0;
  }).length;
}
