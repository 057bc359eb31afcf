import type { Page } from '@platen/kernel';
import { waitUntilStill } from './in-page/index.js';
import { measureElement, scrollToElement, isOutOfViewport, type ElementRequest } from './locate-element.js';
import { pinFixedElements } from './restyle-page.js';
import { settleAnimations, spendSettling, waitForStablePage } from './wait-for-stable-page.js';
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
