import { addSourceUrl, LONGEST_TIMER_MS, type Page, withTimeout } from '@platen/kernel';
import { scrollThrough } from './in-page/index.js';

/** Milliseconds for scrolling down: about 200 viewport heights, or 30 on a page that reacts to scrolling. */
const SCROLL_MS = 12_000;
/** Milliseconds that images and lazy iframes still in flight get at the end, and changes that the scrolling causes. */
const LIMITS = { imagesMs: 3_000, restMs: 4_000 } as const;

export interface AutoScrollOptions {
  readonly deadlineAt: number;
  /** The viewport shows all of the page: lets it react, if it listens to scrolling, as if it was scrolled. */
  readonly whole?: true;
  readonly waitAgain?: (() => Promise<void>) | undefined;
}

/**
 * Scrolls through the document in steps of one viewport height, from the top to the bottom (with vertical writing, from the first line to
 * the last) and back, so that lazy images and other content behind an IntersectionObserver load; then waits for images and lazy iframes. If
 * the page reacts to scrolling, also waits until it has done so. Takes half of the render's time at most. Returns whether it reacts.
 */
export async function autoScroll(page: Page, { deadlineAt, whole, waitAgain }: AutoScrollOptions): Promise<boolean> {
  const listens = await listensToScroll(page);
  if (whole === true && !listens) return false;
  const atMost = (ms: number) => Math.min(ms, Math.max(0, deadlineAt - performance.now()) / 2);
  const reacts = await page.evaluate(scrollThrough, { scrollMs: atMost(SCROLL_MS), ...LIMITS, listens });
  if (reacts && waitAgain !== undefined) await withTimeout(waitAgain(), atMost(LONGEST_TIMER_MS));
  return reacts;
}

/** Whether the window or the document listens to scrolling, or scripts observe elements (`REPORT_OBSERVERS`). */
async function listensToScroll(page: Page): Promise<boolean> {
  for (const expression of ['window', 'document']) {
    const { result } = await page.send('Runtime.evaluate', { expression: addSourceUrl(expression) });
    if (result.objectId === undefined) continue;
    const { listeners } = await page.send('DOMDebugger.getEventListeners', { objectId: result.objectId });
    if (listeners.some(({ type }) => type.startsWith('scroll'))) return true;
  }
  return false;
}

/** Runs before any script of a page: an observer is reported as a listener of `scroll`, because the protocol does not list observers. */
export const REPORT_OBSERVERS = `(${reportObservers.toString()})()`;

function reportObservers(): void {
  const add = addEventListener.bind(window);
  const { construct } = Reflect;
  const onScroll = (): void => undefined;
  globalThis.IntersectionObserver = new Proxy(IntersectionObserver, {
    construct(target, given, newTarget) {
      add('scroll', onScroll, { passive: true });
      // What a constructor makes is an object.
      return construct(target, given, newTarget) as object;
    },
  });
}
