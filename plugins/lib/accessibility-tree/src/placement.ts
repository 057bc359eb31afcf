import type { Rect } from '@platen/kernel';
import type { Box, DomDocument } from './document.js';
import type { Style } from './style.js';

/** CSS pixels: larger than any page. */
const FAR = 1e7;
const EVERYWHERE: Rect = { x: -FAR, y: -FAR, width: 2 * FAR, height: 2 * FAR };

/** From one document's coordinates to the main document's. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly scaleX: number;
  readonly scaleY: number;
  /** Zoom of the owner element: the document's own coordinates already include it. */
  readonly zoom: number;
}

export const MAIN: Placement = { x: 0, y: 0, scaleX: 1, scaleY: 1, zoom: 1 };

export function place({ x, y, width, height }: Rect, at: Placement): Rect {
  return { x: at.x + x * at.scaleX, y: at.y + y * at.scaleY, width: width * at.scaleX, height: height * at.scaleY };
}

/** Placement of a frame's document, given its owner element's box and the placement of the owner's document. */
export function placeFrame({ scrolled }: DomDocument, owner: Box, at: Placement): Placement {
  const { scaleX, scaleY, zoom } = scaleOf(owner, at);
  const content = contentBox(owner, at);
  const scale = { scaleX: (at.scaleX * scaleX) / zoom, scaleY: (at.scaleY * scaleY) / zoom, zoom };
  return { ...scale, x: content.x - scrolled.x * scale.scaleX, y: content.y - scrolled.y * scale.scaleY };
}

/** The area inside borders and padding. */
export function contentBox(box: Box, at: Placement): Rect {
  const { left, top, right, bottom } = box.style.padding;
  const { client = box.bounds } = box;
  return withinContent(box, { x: 0, y: 0, width: client.width - left - right, height: client.height - top - bottom }, at);
}

/** A part of that area, in the element's own pixels from its corner. */
export function withinContent(box: Box, { x, y, width, height }: Rect, at: Placement): Rect {
  const { client = box.bounds, style } = box;
  const inner = { x: client.x + style.padding.left + x, y: client.y + style.padding.top + y, width, height };
  return place(scaleInto(box, inner, scaleOf(box, at)), at);
}

interface ClippingBox {
  readonly box: Box;
  /** By the element itself or an ancestor. */
  readonly flipped: boolean;
}

/** The overflow clip area: inside borders and scroll bars. */
export function overflowClipArea({ box, flipped }: ClippingBox, at: Placement): Rect {
  const { client, style } = box;
  if (flipped || style.rotated || client === undefined) return place(box.bounds, at);
  return place(scaleInto(box, client, scaleOf(box, at)), at);
}

/** The current position of the scrollable overflow area. */
export function scrollableOverflow({ box, flipped }: ClippingBox, at: Placement): Rect {
  const { client, scroll } = box;
  if (client === undefined || scroll === undefined) return place(box.bounds, at);
  // The overflow direction is unknown, for example of inverted lists (https://github.com/necolas/react-native-web/issues/1790).
  if (flipped) return scroll.width > client.width + 1 || scroll.height > client.height + 1 ? EVERYWHERE : place(box.bounds, at);
  const { flowsLeft, flowsUp } = box.style;
  const left = flowsLeft ? client.x + client.width - scroll.width : client.x;
  const top = flowsUp ? client.y + client.height - scroll.height : client.y;
  const area = { x: left - scroll.x, y: top - scroll.y, width: scroll.width, height: scroll.height };
  return place(scaleInto(box, area, scaleOf(box, at)), at);
}

/** The body determines the direction of a document's lines (CSS Writing Modes 4, principal writing mode). */
function principalStyle({ nodes }: DomDocument): Style | undefined {
  return (nodes.find(({ tag }) => tag === 'BODY') ?? nodes.find(({ kind, tag }) => kind === 'element' && tag === 'HTML'))?.box?.style;
}

/** The whole area that a document's window can be scrolled to, in its own coordinates. */
export function canvasArea(document: DomDocument): Rect {
  const { content, viewport } = document;
  const width = Math.max(content.width, viewport.width);
  const height = Math.max(content.height, viewport.height);
  const style = principalStyle(document);
  const x = style?.flowsLeft === true ? viewport.width - width : 0;
  const y = style?.flowsUp === true ? viewport.height - height : 0;
  return { x, y, width, height };
}

interface Scale {
  readonly scaleX: number;
  readonly scaleY: number;
  /** The `zoom` that both share. */
  readonly zoom: number;
}

/** Scale of the element's own pixels by transformations and `zoom`. */
function scaleOf({ bounds, offset, style, zoom: own }: Box, at: Placement): Scale {
  const zoom = own * at.zoom;
  if (style.rotated || offset === undefined || offset.width === 0 || offset.height === 0) return { scaleX: zoom, scaleY: zoom, zoom };
  return {
    scaleX: zoom * ratio(bounds.width, offset.width * zoom, zoom),
    scaleY: zoom * ratio(bounds.height, offset.height * zoom, zoom),
    zoom,
  };
}

/** Offsets are whole pixels: differences below one pixel are not scaling. */
function ratio(shown: number, own: number, pixel: number): number {
  return Math.abs(shown - own) <= Math.max(1, pixel) ? 1 : shown / own;
}

function scaleInto({ bounds }: Box, inner: Rect, { scaleX, scaleY }: Omit<Scale, 'zoom'>): Rect {
  return {
    x: bounds.x + inner.x * scaleX,
    y: bounds.y + inner.y * scaleY,
    width: inner.width * scaleX,
    height: inner.height * scaleY,
  };
}
