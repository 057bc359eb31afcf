import { addSourceUrl, contextKey, type Page, PlatenError, type RenderContext, type RenderPlan } from '@platen/kernel';

/**
 * Puts all frames of a page in one process, whose print is the whole page. The headless shell omits every other process when it prints.
 * The kernel also uses this switch for sites that are not isolated from each other.
 */
const ONE_PROCESS = '--disable-site-isolation-trials';

/** When the page was opened, by performance.now(). */
const OPENED = contextKey<number>('print');

export function recordOpening(context: RenderContext): void {
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
  log.warn({ omitted: blank }, 'cross-site iframes are blank in the PDF: the page could not be loaded a second time');
}

function isFallback({ browser }: RenderPlan): boolean {
  return browser.switches.includes(ONE_PROCESS);
}

function fallbackError({ browser }: RenderPlan, blank: number): PlatenError {
  return new PlatenError('browser_lost', `${String(blank)} cross-site iframes would be blank in the PDF`, {
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

/**
 * Number of frames that the browser would print as blank boxes: visible frames with a separate process. Frames within such a frame are
 * not counted separately. Full Chromium has none, because it combines the prints of all processes.
 */
async function countBlankFrames(page: Page): Promise<number> {
  const [, ...frames] = page.frameTargets();
  if (frames.length === 0) return 0;
  // An isolated world, so that globals changed by the page cannot affect it.
  const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId: page.mainFrameId, worldName: 'platen-print' });
  const shown = await Promise.all(frames.map(({ targetId }) => isShown(page, { frameId: targetId, executionContextId })));
  const count = shown.filter(Boolean).length;
  return count > 0 && (await isHeadlessShell(page)) ? count : 0;
}

interface FrameRef {
  /** Also the id of the frame's target. */
  readonly frameId: string;
  readonly executionContextId: number;
}

/** A frame that is gone meanwhile, or whose owner is in another process too, is not shown. */
async function isShown(page: Page, { frameId, executionContextId }: FrameRef): Promise<boolean> {
  try {
    const { backendNodeId } = await page.send('DOM.getFrameOwner', { frameId });
    const { object } = await page.send('DOM.resolveNode', { backendNodeId, executionContextId });
    const { result } = await page.send('Runtime.callFunctionOn', {
      functionDeclaration: addSourceUrl(isShownInPage.toString()),
      executionContextId,
      arguments: [object.objectId === undefined ? {} : { objectId: object.objectId }],
      returnByValue: true,
    });
    return result.value === true;
  } catch {
    return false;
  }
}

/** Runs in the page; must not capture outer variables. */
function isShownInPage(frame: Element): boolean {
  /** In CSS pixels: smaller frames are tracking pixels. */
  const minSide = 4;
  /** Content left of a page or above it cannot be scrolled to. Pages with right-to-left text begin on the other side. */
  const isReachable = (element: Element): boolean => {
    const { right, bottom } = element.getBoundingClientRect();
    const { documentElement, defaultView } = element.ownerDocument;
    const { scrollX: left = 0, scrollY: top = 0 } = defaultView ?? {};
    return bottom + top > 0 && (right + left > 0 || getComputedStyle(documentElement).direction === 'rtl');
  };
  const isCutOff = (element: Element): boolean => {
    for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
      const { width, height } = ancestor.getBoundingClientRect();
      const { overflowX, overflowY } = getComputedStyle(ancestor);
      if ((width < minSide && overflowX !== 'visible') || (height < minSide && overflowY !== 'visible')) return true;
    }
    return false;
  };
  /** A frame has a border by default, whatever its size. */
  const hasSize = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(element.clientWidth, element.clientHeight, width, height) >= minSide;
  };
  const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  for (let element: Element | null | undefined = frame; element; element = element.ownerDocument.defaultView?.frameElement) {
    if (!hasSize(element) || !isVisible(element) || !isReachable(element) || isCutOff(element)) return false;
  }
  return true;
}

/** By the browser's product, `HeadlessChrome/156.0.8078.79`. */
async function isHeadlessShell(page: Page): Promise<boolean> {
  const { product } = await page.send('Browser.getVersion');
  return product.startsWith('Headless');
}
