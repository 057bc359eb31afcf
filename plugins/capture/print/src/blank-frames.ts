import { addSourceUrl, type Page } from '@platen/kernel';

/**
 * Number of frames that the browser would print as blank boxes: visible frames with a separate process. Frames within such a frame are
 * not counted separately. Full Chromium has none, because it combines the prints of all processes.
 */
export async function countBlankFrames(page: Page): Promise<number> {
  const frames = page.targets.all.filter(({ kind }) => kind === 'iframe');
  if (frames.length === 0) return 0;
  // An isolated world, so that globals changed by the page cannot affect it.
  const { executionContextId } = await page.send('Page.createIsolatedWorld', { frameId: page.mainFrameId, worldName: 'platen-print' });
  const shown = await Promise.all(frames.map(({ targetId }) => isShown(page, { frameId: targetId, executionContextId })));
  const count = shown.filter(Boolean).length;
  return count > 0 && (await isHeadlessShell(page)) ? count : 0;
}

interface Sight {
  /** Also the id of the frame's target. */
  readonly frameId: string;
  readonly executionContextId: number;
}

/** A frame that is gone meanwhile, or whose owner is in another process too, is not shown. */
async function isShown(page: Page, { frameId, executionContextId }: Sight): Promise<boolean> {
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
  const leastSide = 4;
  /** Content left of a page or above it cannot be scrolled to. Pages with right-to-left text begin on the other side. */
  const isReachable = (element: Element): boolean => {
    const { right, bottom } = element.getBoundingClientRect();
    const { documentElement, defaultView } = element.ownerDocument;
    const { scrollX: left = 0, scrollY: top = 0 } = defaultView ?? {};
    return bottom + top > 0 && (right + left > 0 || getComputedStyle(documentElement).direction === 'rtl');
  };
  const isCutOff = (element: Element): boolean => {
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const { width, height } = around.getBoundingClientRect();
      const { overflowX, overflowY } = getComputedStyle(around);
      if ((width < leastSide && overflowX !== 'visible') || (height < leastSide && overflowY !== 'visible')) return true;
    }
    return false;
  };
  /** A frame has a border by default, whatever its size. */
  const hasSize = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return Math.min(element.clientWidth, element.clientHeight, width, height) >= leastSide;
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
