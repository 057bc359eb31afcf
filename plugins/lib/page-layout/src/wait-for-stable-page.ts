import type { Page } from '@platen/kernel';
import { waitForPaint } from './in-page/index.js';
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
