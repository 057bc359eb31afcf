import type { Rect } from '@platen/kernel';
import type { Box, DomDocument } from './document.js';

/** From the coordinates of one document to those of the main one. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
}

export const MAIN: Placement = { x: 0, y: 0, scaleX: 1, scaleY: 1 };

export function place({ x, y, width, height }: Rect, at: Placement): Rect {
  return { x: at.x + x * at.scaleX, y: at.y + y * at.scaleY, width: width * at.scaleX, height: height * at.scaleY };
}

/** Where a frame's document lies whose owner element has this box in a document placed so. */
export function placeFrame({ scrolled }: DomDocument, owner: Box, at: Placement): Placement {
  const { scaleX, scaleY } = scaleOf(owner);
  const content = contentBox(owner, at);
  const scale = { scaleX: at.scaleX * scaleX, scaleY: at.scaleY * scaleY };
  return { ...scale, x: content.x - scrolled.x * scale.scaleX, y: content.y - scrolled.y * scale.scaleY };
}

/** The area within borders and padding. */
export function contentBox(box: Box, at: Placement): Rect {
  const { scaleX, scaleY } = scaleOf(box);
  const { left, top, right, bottom } = box.style.padding;
  const { client = box.bounds } = box;
  const inner = { x: client.x + left, y: client.y + top, width: client.width - left - right, height: client.height - top - bottom };
  return place(scaleInto(box, inner, { scaleX, scaleY }), at);
}

/** The area within borders and scroll bars: what overflow is cut to. */
export function paddingBox(box: Box, at: Placement): Rect {
  if (box.style.skewed || box.client === undefined) return place(box.bounds, at);
  return place(scaleInto(box, box.client, scaleOf(box)), at);
}

/** All that can be scrolled into the padding box, where it lies now. */
export function scrollArea(box: Box, at: Placement): Rect {
  const { client, scroll } = box;
  if (client === undefined || scroll === undefined) return place(box.bounds, at);
  const left = box.style.rtl ? client.x + client.width - scroll.width : client.x;
  const area = { x: left - scroll.x, y: client.y - scroll.y, width: scroll.width, height: scroll.height };
  return place(scaleInto(box, area, scaleOf(box)), at);
}

interface Scale {
  readonly scaleX: number;
  readonly scaleY: number;
}

/** What transformations and `zoom` make of the element's own pixels. */
function scaleOf({ bounds, offset, style }: Box): Scale {
  if (style.skewed || offset === undefined || offset.width === 0 || offset.height === 0) return { scaleX: 1, scaleY: 1 };
  return { scaleX: ratio(bounds.width, offset.width), scaleY: ratio(bounds.height, offset.height) };
}

/** Offsets are whole pixels: within one of them nothing is scaled. */
function ratio(shown: number, own: number): number {
  return Math.abs(shown - own) <= 1 ? 1 : shown / own;
}

function scaleInto({ bounds }: Box, inner: Rect, { scaleX, scaleY }: Scale): Rect {
  return {
    x: bounds.x + inner.x * scaleX,
    y: bounds.y + inner.y * scaleY,
    width: inner.width * scaleX,
    height: inner.height * scaleY,
  };
}
