import { FlatTree } from '@platen/lib-page-functions';
import { world } from './world.js';

/**
 * Scrolls to the middle, clear of bars at the edges. Does not scroll boxes that clip their overflow and that only the page's own
 * scripts scroll, unless they hide all of the element (a slide); those of the body scroll the window.
 */
export function centerElement(selector: string): void {
  const tree = new FlatTree();
  const element = document.querySelector(selector);
  if (element === null) return;
  const place = element.getBoundingClientRect();
  const boxes: { box: Element; left: number; top: number; fixedX: boolean; fixedY: boolean }[] = [];
  for (const box of tree.ancestors(element)) {
    const { overflowX, overflowY } = getComputedStyle(box);
    const { scrollLeft: left, scrollTop: top } = box;
    const ofWindow = box === document.body || box === document.documentElement;
    const frame = box.getBoundingClientRect();
    const fixedX = overflowX === 'hidden' && place.right > frame.left && place.left < frame.right;
    const fixedY = overflowY === 'hidden' && place.bottom > frame.top && place.top < frame.bottom;
    if (!ofWindow) boxes.push({ box, left, top, fixedX, fixedY });
  }
  world.platenScrolls ??= new Map(boxes.map(({ box, left, top }) => [box, new DOMPoint(left, top)]));
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const { x, y, width: wide, height: high } = element.getBoundingClientRect();
  world.platenSeen = new DOMRect(x + scrollX, y + scrollY, wide, high);

  const scrolled = boxes.filter(
    ({ box, left, top, fixedX, fixedY }) => (fixedX && box.scrollLeft !== left) || (fixedY && box.scrollTop !== top),
  );
  for (const { box, left, top, fixedX, fixedY } of scrolled) {
    box.scrollTo({ behavior: 'instant', ...(fixedX ? { left } : {}), ...(fixedY ? { top } : {}) });
  }
  if (scrolled.length === 0) return;
  // Centers only the part of the element that its boxes show.
  let { left, top, right, bottom } = element.getBoundingClientRect();
  const moveBy = (box: Element | Window, x: number, y: number): void => {
    const [beforeX, beforeY] = [element.getBoundingClientRect().x, element.getBoundingClientRect().y];
    box.scrollBy({ left: x, top: y, behavior: 'instant' });
    const { x: nowX, y: nowY } = element.getBoundingClientRect();
    [left, right, top, bottom] = [left + nowX - beforeX, right + nowX - beforeX, top + nowY - beforeY, bottom + nowY - beforeY];
  };
  for (const { box, fixedX, fixedY } of boxes) {
    const frame = box.getBoundingClientRect();
    moveBy(box, fixedX ? 0 : (left + right - frame.left - frame.right) / 2, fixedY ? 0 : (top + bottom - frame.top - frame.bottom) / 2);
    if (fixedX) [left, right] = [Math.max(left, Math.min(frame.left, right)), Math.min(right, Math.max(frame.right, left))];
    if (fixedY) [top, bottom] = [Math.max(top, Math.min(frame.top, bottom)), Math.min(bottom, Math.max(frame.bottom, top))];
  }
  const { offsetLeft = 0, offsetTop = 0, width = innerWidth, height = innerHeight } = visualViewport ?? {};
  moveBy(window, (left + right - width) / 2 - offsetLeft, (top + bottom - height) / 2 - offsetTop);
}

export function scrollBoxesBack(): void {
  for (const [box, { x, y }] of world.platenScrolls ?? []) box.scrollTo({ left: x, top: y, behavior: 'instant' });
  world.platenScrolls = undefined;
}

export function scrollBack(x: number, y: number): void {
  scrollTo({ left: x, top: y, behavior: 'instant' });
}

/**
 * Uses our own style sheet, which no attribute or observer reveals. Fixed boxes are relative to the root once it is moved, so the
 * root must be as high as the viewport.
 */
export function movePage(selector: string, { x, y }: { readonly x: number; readonly y: number }): void {
  const tree = new FlatTree();
  const element = document.querySelector(selector);
  if (element === null) return;
  const fixed = [element, ...tree.ancestors(element)].some((at) => getComputedStyle(at).position === 'fixed');
  const sheet = new CSSStyleSheet();
  const height = fixed ? 'height: 100vh !important;' : '';
  sheet.replaceSync(`:root { translate: ${String(x)}px ${String(y)}px !important; transition: none !important; ${height} }`);
  document.adoptedStyleSheets.push(sheet);
}
