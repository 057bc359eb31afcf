import type { Page } from '@platen/kernel';
import { definePageFunction, nextFrame } from '@platen/lib-page-functions';

/** Milliseconds that images and fonts get after the wait conditions were met. */
const SETTLE_MS = 3_000;

/** Position of the visual viewport in the document, in CSS pixels, and its zoom factor. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  /** Where the document begins: below 0 in a right-to-left document that is wider than the viewport. */
  readonly left: number;
  /**
   * Something moves or fades: in, on or around the selected element, endless or not; without a selector, finitely and anywhere in the
   * loaded document. `settleAnimations` waits for it.
   */
  readonly animated: boolean;
}

export interface SettleOptions {
  /** The images of this element count, too, in view or not. */
  readonly selector?: string;
  /** The page was just scrolled or resized: its reaction takes frames, whether or not it has images. */
  readonly moved?: true;
}

/**
 * Waits until everything in view can be painted: fonts are ready, and images and lazy iframes in flight have loaded, plus two frames for
 * new content. Waits only if the page itself has loaded: otherwise the wait condition has decided not to wait. Loaded images need no
 * waiting: the browser runs without checker imaging and decodes them into the frame that it paints.
 */
export async function waitForStablePage(page: Page, { selector, moved }: SettleOptions = {}): Promise<View> {
  return page.evaluate(settleInPage, { limitMs: SETTLE_MS, moved: moved === true, selector: selector ?? null });
}

/** Arguments passed into the page, as JSON. */
interface SettleRequest {
  readonly limitMs: number;
  readonly moved: boolean;
  readonly selector: string | null;
}

/** Runs in the page; must not capture outer variables. */
const settleInPage = definePageFunction({ nextFrame }, async (parts, { limitMs, moved, selector }: SettleRequest): Promise<View> => {
  const element = selector === null ? null : document.querySelector(selector);
  // An image that is still loading may have no size yet; an image that is not rendered has no box.
  const inView = (box: Element): boolean => {
    const { top, left, bottom, right } = box.getBoundingClientRect();
    return bottom >= 0 && right >= 0 && top <= innerHeight && left <= innerWidth && box.getClientRects().length > 0;
  };
  const due = (image: HTMLImageElement): boolean => !image.complete && document.readyState === 'complete';
  const images = Array.from(document.images).filter((image) => due(image) && (inView(image) || element?.contains(image) === true));
  // A lazy iframe that was never near the viewport has an empty document, even if it is cross-site.
  const frames = Array.from(document.querySelectorAll<HTMLIFrameElement>('iframe[loading=lazy][src]'))
    .filter(() => document.readyState === 'complete')
    .filter((lazy) => lazy.contentDocument?.URL === 'about:blank' && !lazy.src.startsWith('about:') && inView(lazy))
    .map(
      (lazy) =>
        new Promise<unknown>((resolve) => {
          lazy.addEventListener('load', resolve, { once: true });
        }),
    );
  // `fonts.ready` also waits for the document's load, which may never end: for a page that still loads, only fonts in progress count.
  const fonts = document.readyState === 'complete' || document.fonts.status === 'loading' ? [document.fonts.ready] : [];
  const waiting = moved || images.length + frames.length > 0 || document.fonts.status === 'loading';
  const ready = Promise.all([...fonts, ...frames, ...images.map((image) => image.decode().catch(() => undefined))]);
  await Promise.race([ready, new Promise((resolve) => setTimeout(resolve, limitMs))]);
  for (let left = waiting ? 2 : 0; left > 0; left -= 1) await parts.nextFrame();
  const leftmost = (): number => {
    const written = Array.from(document.querySelectorAll(':root, body'), (root) => getComputedStyle(root));
    const { scrollWidth = 0, clientWidth = 0 } = document.scrollingElement ?? {};
    if (scrollWidth <= clientWidth || !written.some((style) => style.direction === 'rtl' || style.writingMode.endsWith('-rl'))) return 0;
    const [left, top] = [scrollX, scrollY];
    scrollTo({ left: -scrollWidth, top, behavior: 'instant' });
    const least = scrollX;
    scrollTo({ left, top, behavior: 'instant' });
    return least;
  };
  const animated = document.getAnimations().some(({ effect, playState }) => {
    if (playState !== 'running' || !(effect instanceof KeyframeEffect) || effect.target === null) return false;
    if (element !== null) return element.contains(effect.target) || effect.target.contains(element);
    return document.readyState === 'complete' && Number.isFinite(effect.getComputedTiming().endTime);
  });
  const { pageLeft: x = scrollX, pageTop: y = scrollY, scale = 1 } = window.visualViewport ?? {};
  return { animated, left: leftmost(), x, y, scale };
});
