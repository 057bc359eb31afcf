import type { Rect } from '@platen/kernel';

export const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** The intersection; undefined if it is empty. */
export function intersect(a: Rect, b: Rect): Rect | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

/** Clips along the given axes; an empty rectangle if nothing remains. */
export function clipAxes(rect: Rect, by: Rect, { x, y }: { readonly x: boolean; readonly y: boolean }): Rect {
  const left = x ? Math.max(rect.x, by.x) : rect.x;
  const right = x ? Math.min(rect.x + rect.width, by.x + by.width) : rect.x + rect.width;
  const top = y ? Math.max(rect.y, by.y) : rect.y;
  const bottom = y ? Math.min(rect.y + rect.height, by.y + by.height) : rect.y + rect.height;
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** The bounding box of both. A rectangle without an area is ignored (CSSOM View, `getBoundingClientRect()`). */
export function union(a: Rect, b: Rect): Rect {
  if (isEmpty(b)) return a;
  if (isEmpty(a)) return b;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

function isEmpty({ width, height }: Rect): boolean {
  return width === 0 || height === 0;
}

/** Whether `outer` contains all of `inner`. */
export function containsRect(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    outer.x + outer.width >= inner.x + inner.width &&
    outer.y + outer.height >= inner.y + inner.height
  );
}

/** Shrinks a rectangle by the same amount on every side; returns its center if nothing would remain. */
export function shrink({ x, y, width, height }: Rect, by: number): Rect {
  const dx = Math.min(by, width / 2);
  const dy = Math.min(by, height / 2);
  return { x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy };
}

/** The part of the rectangle outside the hole, in up to four pieces. */
export function subtract(rect: Rect, hole: Rect): readonly Rect[] {
  const cut = intersect(rect, hole);
  if (cut === undefined) return [rect];
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  const pieces = [
    { x: rect.x, y: rect.y, width: rect.width, height: cut.y - rect.y },
    { x: rect.x, y: cut.y + cut.height, width: rect.width, height: bottom - cut.y - cut.height },
    { x: rect.x, y: cut.y, width: cut.x - rect.x, height: cut.height },
    { x: cut.x + cut.width, y: cut.y, width: right - cut.x - cut.width, height: cut.height },
  ];
  return pieces.filter(({ width, height }) => width > 0 && height > 0);
}
