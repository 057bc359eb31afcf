import type { Page } from '@platen/kernel';
import { definePageFunction, FlatTree, nextFrame } from '@platen/lib-page-functions';
import { measureElement, scrollToElement, isOutOfViewport, type ElementRequest } from './locate-element.js';
import { pinFixedElements } from './restyle-page.js';
import { settleAnimations, spendSettling } from './settle-animations.js';
import { waitForStablePage } from './wait-for-stable-page.js';
import type { Shown } from './show-whole.js';

/** Milliseconds to wait for movement by scripts. */
const STILL_MS = 700;
/** Whatever moved the element out of view may do so again after scrolling to it. */
const SETTLE_TRIES = 2;

/**
 * Waits until an element is shown in its final state and, after it was scrolled to, does not move: waits for transitions and animations in
 * it and around it, and for those that the scrolling started elsewhere, such as a shrinking header, if they end by themselves soon. Returns
 * its position then. For screenshots and videos.
 */
export async function waitForStableElement(page: Page, element: ElementRequest, shown: Shown): Promise<Shown> {
  const { selector } = element;
  let settled = shown;
  if (!shown.scrolled) {
    const waited = shown.view.animated && (await settleAnimations(page, { selector }));
    return waited ? { ...shown, rect: await measureElement(page, element) } : shown;
  }
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    const ended = await settleAnimations(page, { selector, moved: true });
    const stopped = await spendSettling(page, (leftMs) => page.evaluate(waitUntilStill, { selector, limitMs: Math.min(leftMs, STILL_MS) }));
    if (!ended && !stopped) break;
    const away = await isOutOfViewport(page, selector);
    if (away) await scrollToElement(page, selector);
    else await pinFixedElements(page, selector);
    settled = { ...settled, view: await waitForStablePage(page), rect: await measureElement(page, element) };
    if (!away) break;
  }
  return settled;
}

/** Arguments passed into the page, as JSON. */
interface StillRequest {
  readonly selector: string;
  readonly limitMs: number;
}

/** Runs in the page; must not capture outer variables. Waits until the element stops moving, and returns the milliseconds that it took. */
const waitUntilStill = definePageFunction({ FlatTree, nextFrame }, async (parts, { selector, limitMs }: StillRequest): Promise<number> => {
  const element = document.querySelector(selector);
  if (element === null) return 0;
  const from = Number(Reflect.get(globalThis, 'platenFrom') ?? 0);
  const started = performance.now();
  const isOurs = (target: Element) => element.contains(target) || target.contains(element);
  const animated = new parts.FlatTree()
    .trees(document)
    .flatMap((root) => root.getAnimations())
    .some(({ effect, timeline, playState, playbackRate, startTime }) => {
      if (!(effect instanceof KeyframeEffect) || effect.target === null || !(timeline instanceof DocumentTimeline)) return false;
      return playState === 'running' && playbackRate > 0 && (isOurs(effect.target) || Number(startTime ?? Infinity) >= from);
    });
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return new DOMRect(x + scrollX, y + scrollY, width, height);
  };
  const isSame = (one: DOMRect, other: DOMRect) =>
    (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < 0.5);
  // An endlessly rotating element never stops.
  const ending = animated ? 0 : started + limitMs;
  const seen: unknown = Reflect.get(globalThis, 'platenSeen');
  let last = seen instanceof DOMRect ? seen : place();
  let same = isSame(last, place()) ? 2 : 0;
  let waited = false;
  for (; same < 2 && performance.now() < ending; waited = true) {
    await parts.nextFrame();
    same = isSame(last, place()) ? same + 1 : 0;
    last = place();
  }
  return waited ? performance.now() - started : 0;
});
