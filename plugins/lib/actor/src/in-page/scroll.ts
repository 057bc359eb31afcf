import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import type { Direction } from '../action.js';
import type { Hit } from './reach-element.js';

export function isRootScroller(element: Element): boolean {
  return element === (document.scrollingElement ?? document.documentElement);
}

/** CSS pixels of the visible part. */
export function sizeOf(element: Element): { readonly width: number; readonly height: number } {
  return isRootScroller(element)
    ? { width: innerWidth, height: innerHeight }
    : { width: element.clientWidth, height: element.clientHeight };
}

/**
 * The box that scrolls: around the element, or if it is the page's own and that does not scroll, around the
 * middle of the viewport.
 */
export function findScroller(element: Element, dir: Direction): Element | null {
  const tree = new FlatTree();
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
}

/** Whether the wheel over a node scrolls this box. */
export function classifyWheel(element: Element, node: Node): Hit {
  const tree = new FlatTree();
  const path = [...(node instanceof Element ? [node] : []), ...tree.ancestors(node)];
  const own = isRootScroller(element) ? path.length : path.indexOf(element);
  if (own < 0) return 'other';
  const takesWheel = (box: Element): boolean => {
    const { overflowX, overflowY, position } = getComputedStyle(box);
    const isBox = box !== document.body && box !== document.documentElement;
    const room = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
    const scrolls = [overflowX, overflowY].some((overflow) => overflow === 'auto' || overflow === 'scroll');
    return box.localName === 'iframe' || (isBox && position === 'fixed') || (isBox && room && scrolls);
  };
  return path.slice(0, own).some(takesWheel) ? 'nested' : 'own';
}

/** State between the two functions, in our isolated world. */
interface ScrollWorld {
  platenScroll?: { readonly left: number; readonly top: number; ended: boolean };
}

export function watchScroll(element: Element): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & ScrollWorld;
  const { scrollLeft: left, scrollTop: top } = element;
  const watch = { left, top, ended: false };
  world.platenScroll = watch;
  const ended = () => {
    watch.ended = true;
  };
  (isRootScroller(element) ? document : element).addEventListener('scrollend', ended, { once: true });
}

/** A wheel that scrolls nothing moves nothing for 200 ms. */
export async function waitForScrollEnd(element: Element): Promise<void> {
  // See above.
  const watch = (globalThis as typeof globalThis & ScrollWorld).platenScroll;
  const started = performance.now();
  for (let moved = false; watch !== undefined && !watch.ended;) {
    await nextFrame();
    moved ||= element.scrollLeft !== watch.left || element.scrollTop !== watch.top;
    if (performance.now() - started > (moved ? 2_000 : 200)) return;
  }
}
