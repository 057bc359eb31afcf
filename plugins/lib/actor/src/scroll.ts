import { definePageFunction, FlatTree, nextFrame } from '@platen/lib-page-functions';
import { ActionError, type Action, type Direction, type Point } from './action.js';
import type { Attempt } from './attempt.js';
import { openRoot, type PageElement } from './element.js';
import { readFrames } from './frames.js';
import { type Hit, reachElement } from './reach-element.js';

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

/** Runs in the page; must not capture outer variables. */
function isRootScroller(element: Element): boolean {
  return element === (document.scrollingElement ?? document.documentElement);
}

/** Runs in the page; must not capture outer variables. CSS pixels of the visible part. */
function sizeOf(element: Element): { readonly width: number; readonly height: number } {
  const isRoot = element === (document.scrollingElement ?? document.documentElement);
  return isRoot ? { width: innerWidth, height: innerHeight } : { width: element.clientWidth, height: element.clientHeight };
}

/**
 * Runs in the page; must not capture outer variables. The box that scrolls: around the element, or if it is the page's own and that does
 * not scroll, around the middle of the viewport.
 */
const findScroller = definePageFunction({ FlatTree }, (parts, element: Element, dir: Direction): Element | null => {
  const tree = new parts.FlatTree();
  const root = document.scrollingElement ?? document.documentElement;
  const scrolls = (box: Element): boolean => {
    const isVertical = dir === 'up' || dir === 'down';
    const room = isVertical ? box.scrollHeight - box.clientHeight : box.scrollWidth - box.clientWidth;
    const { overflowX, overflowY } = getComputedStyle(box);
    const overflow = isVertical ? overflowY : overflowX;
    if (box === root) return room > 0 && overflow !== 'hidden' && overflow !== 'clip';
    return room > 0 && (overflow === 'auto' || overflow === 'scroll' || box instanceof HTMLTextAreaElement);
  };
  const isBox = (box: Element): boolean => box === root || (box !== document.body && box !== document.documentElement);
  const find = (one: Element): Element | undefined => [one, ...tree.ancestors(one)].find((box) => isBox(box) && scrolls(box));
  const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  return find(element) ?? (element === root && middle !== null ? find(middle) : undefined) ?? root;
});

/** Runs in the page; must not capture outer variables. Whether the wheel over a node scrolls this box. */
const classifyWheel = definePageFunction({ FlatTree }, (parts, element: Element, node: Node): Hit => {
  const tree = new parts.FlatTree();
  const path = [...(node instanceof Element ? [node] : []), ...tree.ancestors(node)];
  const own = element === (document.scrollingElement ?? document.documentElement) ? path.length : path.indexOf(element);
  if (own < 0) return 'other';
  const takesWheel = (box: Element): boolean => {
    const { overflowX, overflowY, position } = getComputedStyle(box);
    const isBox = box !== document.body && box !== document.documentElement;
    const room = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    return box.localName === 'iframe' || (isBox && position === 'fixed') || (isBox && room && scrolls);
  };
  return path.slice(0, own).some(takesWheel) ? 'nested' : 'own';
});

/** State between the two functions, in our isolated world. */
interface ScrollWorld {
  platenScroll?: { readonly left: number; readonly top: number; ended: boolean };
}

/** Runs in the page; must not capture outer variables. */
function watchScroll(element: Element): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & ScrollWorld;
  const { scrollLeft: left, scrollTop: top } = element;
  const watch = { left, top, ended: false };
  world.platenScroll = watch;
  const isRoot = element === (document.scrollingElement ?? document.documentElement);
  const ended = () => {
    watch.ended = true;
  };
  (isRoot ? document : element).addEventListener('scrollend', ended, { once: true });
}

/** Runs in the page; must not capture outer variables. A wheel that scrolls nothing moves nothing for 200 ms. */
const waitForScrollEnd = definePageFunction({ nextFrame }, async (parts, element: Element): Promise<void> => {
  // See above.
  const watch = (globalThis as typeof globalThis & ScrollWorld).platenScroll;
  const started = performance.now();
  for (let moved = false; watch !== undefined && !watch.ended;) {
    await parts.nextFrame();
    moved ||= element.scrollLeft !== watch.left || element.scrollTop !== watch.top;
    if (performance.now() - started > (moved ? 2_000 : 200)) return;
  }
});
