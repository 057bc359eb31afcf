import type { Page } from '@platen/kernel';
import { findDueAnimations, waitForDueAnimations } from './in-page/index.js';

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
export interface AnimationsScope {
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
