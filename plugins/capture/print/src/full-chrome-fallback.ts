import { contextKey, PlatenError, type RenderContext, type RenderPlan } from '@platen/kernel';
import { countBlankFrames } from './blank-frames.js';

/**
 * Puts all frames of a page in one process, whose print is the whole page. The headless shell omits every other process when it prints.
 * The kernel also uses this switch for sites that are not isolated from each other.
 */
const ONE_PROCESS = '--disable-site-isolation-trials';

/** When the page was opened, by performance.now(). */
const OPENED = contextKey<number>('print');

export function noteOpening(context: RenderContext): void {
  context.set(OPENED, performance.now());
}

/** Time to release the first browser's page and to start another browser, on a busy machine. */
const REOPEN_MS = 2_000;
/** Factor by which the same page may take longer the second time. */
const SLACK = 1.25;

/**
 * For a page that may be loaded again only while no script of the request has run. If the loaded page has cross-site iframes, throws the
 * error that makes the kernel render again in a browser that prints them. Frames added later are omitted.
 */
export async function detectBlankFrames(context: RenderContext): Promise<void> {
  const { plan, page } = context;
  if (plan.retryable || !plan.retryableBeforeScript || isFallback(plan)) return;
  context.setWaitReason('load');
  await page.lifecycle.reached('load');
  const blank = await countBlankFrames(page);
  if (blank > 0 && isTimeLeft(context)) throw fallbackError(plan, blank);
}

/**
 * Ensures that cross-site iframes are printed. If the browser would omit them, throws the error that makes the kernel render again in a
 * browser that prints them. If the page must not be loaded twice, or the time is too short, a response header gives the number of missing
 * frames.
 */
export async function ensureFramesPrinted(context: RenderContext): Promise<void> {
  const { plan, page, setResponseHeader, log } = context;
  if (isFallback(plan)) setResponseHeader('X-Capture-Fallback', 'cross-site-iframes');
  const blank = await countBlankFrames(page);
  if (blank === 0) return;
  if (plan.retryable && !isFallback(plan) && isTimeLeft(context)) throw fallbackError(plan, blank);
  setResponseHeader('X-Print-Frames-Omitted', String(blank));
  log.warn({ leftOut: blank }, 'frames of other sites are blank in the PDF: the page could not be loaded a second time');
}

function isFallback({ browser }: RenderPlan): boolean {
  return browser.switches.includes(ONE_PROCESS);
}

function fallbackError({ browser }: RenderPlan, blank: number): PlatenError {
  return new PlatenError('browser_lost', `${String(blank)} frames of other sites would be blank in the PDF`, {
    retryable: true,
    retryWith: { ...browser, exclusive: true, switches: [...browser.switches, ONE_PROCESS] },
  });
}

function isTimeLeft(context: RenderContext): boolean {
  const now = performance.now();
  return isTimeForTwo({ opened: context.get(OPENED) ?? now, now, endsAt: context.deadlineAt });
}

/** Moments by performance.now(). */
interface FallbackTimes {
  readonly opened: number;
  readonly now: number;
  readonly endsAt: number;
}

/** Whether a second render that takes as long as the first one did so far would finish in time. */
export function isTimeForTwo({ opened, now, endsAt }: FallbackTimes): boolean {
  return now + (now - opened) * SLACK + REOPEN_MS <= endsAt;
}
