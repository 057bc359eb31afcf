import { contextKey, PlatenError, type RenderContext, type RenderPlan } from '@platen/kernel';
import { countBlankFrames } from './blank-frames.js';

/**
 * All frames of a page are then in one process, whose print is the whole page: what the headless shell prints omits every other
 * process. It is the kernel's own switch for sites that are not isolated from each other, too.
 */
const ONE_PROCESS = '--disable-site-isolation-trials';

/** When the page was opened, by performance.now(). */
const OPENED = contextKey<number>('print');

export function noteOpening(context: RenderContext): void {
  context.set(OPENED, performance.now());
}

/** A browser is started and the first one's page given back, on a machine with other work. */
const REOPEN_MS = 2_000;
/** What the same page may take longer the second time. */
const SLACK = 1.25;

/**
 * Where the page may be loaded again only as long as no script of the request's own has run: throws what makes the kernel render once more, in a
 * browser that prints the cross-site iframes, if the loaded page has any. Those that come later are omitted.
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
 * Sees to it that the cross-site iframes are on the paper. Where the browser would leave them out, it throws what makes the kernel
 * render once more, in a browser that prints them; where the page must not be loaded twice or the time is too short, the answer says
 * how many are missing.
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

/** Whether a second take, which takes as long as the first one did so far, would be there in time. */
export function isTimeForTwo({ opened, now, endsAt }: FallbackTimes): boolean {
  return now + (now - opened) * SLACK + REOPEN_MS <= endsAt;
}
