import type { Rect } from '@platen/kernel';

/** A place in CSS pixels of the document. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Where the browser paints a box whose rectangle begins within a pixel. It rounds the layout position to whole pixels of its own scale,
 * and then adds `shift` exactly. Null: the box is rotated or scaled, so nothing is rounded.
 */
export function paintedOrigin({ x, y }: Rect, shift: Place | null, nativeScaleFactor: number): Place {
  if (shift === null) return { x, y };
  const snap = (place: number, by: number) => Math.round((place - by) * nativeScaleFactor) / nativeScaleFactor + by;
  return { x: snap(x, shift.x), y: snap(y, shift.y) };
}

/**
 * Runs in the page; must not capture outer variables. How far the element is moved after its layout: by transforms, and by its position
 * within an SVG.
 */
export function measureShift(selector: string): Place | null {
  const above = (child: Element): Element | null => {
    const root = child.getRootNode();
    return child.assignedSlot ?? child.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const selected = document.querySelector(selector);
  let shift: Place = { x: 0, y: 0 };
  for (let element = selected; element !== null; element = above(element)) {
    const drawing = element instanceof SVGElement ? element.ownerSVGElement : null;
    if (selected !== null && drawing !== null) {
      const [inner, outer] = [selected.getBoundingClientRect(), drawing.getBoundingClientRect()];
      shift = { x: inner.x - outer.x, y: inner.y - outer.y };
      continue;
    }
    const { transform, rotate, scale, translate } = getComputedStyle(element);
    const [x = 0, y = 0] = translate === 'none' ? [] : translate.split(' ').map(parseFloat);
    const { a, b, c, d, e, f, is2D } = new DOMMatrixReadOnly(transform);
    const plain = is2D && a === 1 && b === 0 && c === 0 && d === 1 && rotate === 'none' && scale === 'none' && !translate.includes('%');
    if (!plain) return null;
    shift = { x: shift.x + e + x, y: shift.y + f + y };
  }
  return shift;
}
