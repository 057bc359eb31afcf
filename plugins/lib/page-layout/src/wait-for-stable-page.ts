import type { Page } from '@platen/kernel';
import { findDueAnimations, waitForDueAnimations, waitForPaint } from './in-page/index.js';
import type { View } from './in-page/wait-for-stable.js';

/** Milliseconds that images and fonts get after the wait conditions were met. */
const SETTLE_MS = 3_000;

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
  return page.evaluate(waitForPaint, { limitMs: SETTLE_MS, moved: moved === true, selector: selector ?? null });
}

/** Total milliseconds per page for transitions of position and visibility: longer ones are not waited for. */
const SETTLING_MS = 2_000;

const settled = new WeakMap<Page, number>();

/** Waits for something in the page, which returns the milliseconds that it took, while time is left for that. Returns whether it waited. */
export async function spendSettling(page: Page, wait: (leftMs: number) => Promise<number>): Promise<boolean> {
  const before = settled.get(page) ?? 0;
  if (before >= SETTLING_MS) return false;
  const waitedMs = await wait(SETTLING_MS - before);
  settled.set(page, before + waitedMs);
  return waitedMs > 0;
}

/** Undefined: everything in view. */
interface AnimationsScope {
  /** Only this element, its descendants and its ancestors. */
  readonly selector?: string;
  /** Additionally, animations that began when the element was scrolled to, including in open shadow roots. */
  readonly moved?: true;
  /** Those of the whole document and its open shadow roots. */
  readonly everywhere?: true;
  /** Milliseconds; undefined: the remainder of the page's 2 seconds. */
  readonly limitMs?: number;
}

/**
 * Waits for finite transitions and animations that end soon. Also waits for a transition that begins as another ends, and for one
 * repetition of the same one, but not for a third run: an animation that restarts whenever it ends is endless. Returns whether there were
 * any.
 */
export async function settleAnimations(page: Page, { selector, moved, everywhere, limitMs }: AnimationsScope = {}): Promise<boolean> {
  const scope = { selector: selector ?? null, moved: moved === true, everywhere: everywhere === true };
  const wait = async (mostMs: number): Promise<number> => {
    let waitedMs = 0;
    for (let first = true; await page.evaluate(findDueAnimations, { ...scope, first, leftMs: mostMs - waitedMs }); first = false) {
      waitedMs += await page.evaluate(waitForDueAnimations, mostMs - waitedMs);
    }
    return waitedMs;
  };
  return limitMs === undefined ? spendSettling(page, wait) : (await wait(limitMs)) > 0;
}
