import { ActionError, type Action, type Direction, type Point } from './action.js';
import type { Attempt } from './attempt.js';
import { openRoot, type PageElement } from './element.js';
import { readFrames } from './frames.js';
import { classifyWheel, findScroller, isRootScroller, sizeOf, waitForScrollEnd, watchScroll } from './in-page/index.js';
import { reachElement } from './reach-element.js';

type Scroll = Pick<Extract<Action, { kind: 'scroll' }>, 'dir' | 'amount'>;

/** Share of the box that is scrolled by default: some of it stays in view. */
const SHARE = 0.8;

/**
 * Turns the mouse wheel over the page, or over the next box around the element that scrolls that way. Returns once scrolling has ended.
 */
export async function scrollPage(element: PageElement | undefined, { dir, amount }: Scroll, attempt: Attempt): Promise<void> {
  const start = element ?? (await openPageRoot(attempt));
  const { scroller = start, isRoot } = await findBox(start, dir);
  const { width, height } = await scroller.call(sizeOf);
  const point = await wheelPoint(scroller, attempt, { isRoot, width, height });
  attempt.noted.point = point;
  const isVertical = dir === 'up' || dir === 'down';
  const by = (amount ?? Math.round((isVertical ? height : width) * SHARE)) * (dir === 'up' || dir === 'left' ? -1 : 1);
  await scroller.call(watchScroll);
  const wheel = { type: 'mouseWheel', ...point, deltaX: isVertical ? 0 : by, deltaY: isVertical ? by : 0 } as const;
  await attempt.input('Input.dispatchMouseEvent', wheel);
  // The page may have left meanwhile.
  await scroller.call(waitForScrollEnd).catch(() => undefined);
}

async function openPageRoot(attempt: Attempt): Promise<PageElement> {
  const frames = await readFrames(attempt.page);
  const frame = frames.get(attempt.page.mainFrameId);
  if (frame === undefined) throw new ActionError('the page did not respond in time');
  return openRoot({ ref: 'the page', frame, frames }, attempt);
}

interface Box {
  readonly scroller: PageElement | undefined;
  readonly isRoot: boolean;
}

async function findBox(start: PageElement, dir: Direction): Promise<Box> {
  const scroller = await start.find(findScroller, dir);
  return { scroller, isRoot: await (scroller ?? start).call(isRootScroller) };
}

/** Scrolls the frame's element into view, but not the frame. */
async function showFrame({ frame, frames }: PageElement, attempt: Attempt): Promise<void> {
  const parent = frames.get(frame.parentId ?? '');
  if (parent === undefined) return;
  const { backendNodeId } = await attempt.send(parent.session, 'DOM.getFrameOwner', { frameId: frame.id });
  await attempt.send(parent.session, 'DOM.scrollIntoViewIfNeeded', { backendNodeId });
}

/** Where the wheel scrolls this box and none in it. */
async function wheelPoint(
  scroller: PageElement,
  attempt: Attempt,
  { isRoot, width, height }: { readonly isRoot: boolean; readonly width: number; readonly height: number },
): Promise<Point> {
  try {
    if (isRoot) await showFrame(scroller, attempt);
    return await reachElement(scroller, attempt, { classify: classifyWheel, stays: isRoot, evenDisabled: true });
  } catch (error) {
    const isTop = isRoot && scroller.frame.id === attempt.page.mainFrameId;
    if (!isTop || !(error instanceof ActionError)) throw error;
    // Something covers the page: a user would turn the wheel all the same.
    return { x: Math.round(width / 2), y: Math.round(height / 2) };
  }
}
