import type { Rect } from '@platen/kernel';
import type { Box, DomDocument, DomNode } from '../document.js';
import { shouldYield, yieldToEventLoop } from '../yielding.js';
import { canvasArea, overflowBox, place, principalStyle, scrollArea, type Placement } from '../placement.js';
import { clipAxes, intersect } from '../rect.js';
import { combine, isBackfacing, type Linear } from '../transform.js';
import { ClipShape } from './clip-shape.js';

const shape = new ClipShape();

export const NOTHING: Rect = { x: 0, y: 0, width: 0, height: 0 };

/** Something whose content moves independently of the outside: a document's window, a scroll container, a sticky box. */
export interface Scroller {
  /** Undefined: it is directly in the main window. */
  readonly outer: Scroller | undefined;
  /** Where its content is visible. */
  readonly view: Rect;
  /** Current position of the content that can be scrolled into view. */
  readonly reach: Rect;
}

/** Where content can be visible. All in CSS pixels of the main document at its current scroll position. */
export interface Region {
  readonly clip: Rect;
  /** Undefined: fixed to the main window. */
  readonly scroller: Scroller | undefined;
}

/** Clipping that an element passes on to its descendants, by their `position`. */
export interface ClipChain {
  readonly flow: Region;
  readonly absolute: Region;
  readonly fixed: Region;
  /** Product of all opacities so far. */
  readonly opacity: number;
  readonly skewed: boolean;
  /** By an ancestor box, other than by scaling or translation. */
  readonly turned: boolean;
  /** Orientation of its 3D space; undefined if it is flat. */
  readonly space: Linear | undefined;
  /** Content beside it cannot be scrolled to. */
  readonly locked: Rect | undefined;
}

/** The geometry of one node. */
export interface NodeVisibility {
  readonly node: DomNode;
  /** The image that contains it, for an area of an image map. */
  readonly image?: DomNode;
  /** Its own, or the image's. */
  readonly box: Box;
  /** Its bounding box. */
  readonly bounds: Rect;
  /** The part that is visible unless something covers it; undefined: nothing. */
  readonly shown: Rect | undefined;
  readonly scroller: Scroller | undefined;
  readonly opacity: number;
  readonly skewed: boolean;
  readonly turned: boolean;
}

export interface Axes {
  readonly x: boolean;
  readonly y: boolean;
}

/** Placement of a document within the main one. */
export interface DocumentPlace {
  readonly placement: Placement;
  /** The region of elements that are fixed to the document's window. */
  readonly fixed: Region;
  /** The document's window. */
  readonly view: Rect;
  readonly opacity: number;
  readonly skewed: boolean;
  readonly turned: boolean;
  /** The axes along which its window can be scrolled. */
  readonly axes: Axes;
  readonly locked?: Rect | undefined;
}

/** CSS pixels in which nothing is readable. */
const CLIPPED = 2;

/** A frame whose window has a side of at most this many CSS pixels shows nothing readable. */
const SLIVER = 1;

/** The clip chain that a document passes on to its content: its window and the whole scrollable area of that window. */
export function documentSurroundings(
  document: DomDocument,
  { placement, fixed, view, opacity, skewed, turned, axes, locked }: DocumentPlace,
): ClipChain {
  const { content, viewport } = document;
  const area = place(canvasArea(document), placement);
  const scrolls = { x: axes.x && content.width > viewport.width + 1, y: axes.y && content.height > viewport.height + 1 };
  const hasArea = view.width > SLIVER && view.height > SLIVER;
  const shown = hasArea ? clipAxes(area, fixed.clip, { x: !scrolls.x, y: !scrolls.y }) : NOTHING;
  const flow =
    hasArea && (scrolls.x || scrolls.y)
      ? { clip: shown, scroller: { outer: fixed.scroller, view, reach: shown } }
      : { clip: shown, scroller: fixed.scroller };
  return { flow, absolute: flow, fixed, opacity, skewed, turned, space: undefined, locked };
}

/** The axes along which a user can scroll a frame's window. */
export function scrollableAxes(document: DomDocument, owner: DomNode): Axes {
  if (/^(no|off|noscroll)$/i.test(owner.attributes.get('scrolling') ?? '')) return { x: false, y: false };
  return windowAxes(document);
}

/** HTML, `scrolling`; CSS Overflow 3, propagation to the viewport. */
function windowAxes(document: DomDocument): Axes {
  const style = (bodyOf(document) ?? rootOf(document))?.box?.style;
  return { x: style?.overflowX !== 'clip', y: style?.overflowY !== 'clip' };
}

/**
 * A main window that the user cannot scroll horizontally: content placed beside it is hidden on purpose (a drawer), while overflowing
 * content may become visible (a section that slides). Vertical scrolling is often disabled only temporarily, by a dialog or a banner.
 */
export function lockedWindow(document: DomDocument, view: Rect): Rect | undefined {
  return windowAxes(document).x || principalStyle(document)?.vertical === true ? undefined : view;
}

/** Walks a document from its root and computes where each node with a box is visible, in document order. */
export async function computeDocument(document: DomDocument, initial: ClipChain, placement: Placement): Promise<readonly NodeVisibility[]> {
  const given: ClipChain[] = [];
  const sights: NodeVisibility[] = [];
  const body = bodyOf(document);
  for (const node of document.nodes) {
    if (shouldYield()) await yieldToEventLoop();
    const around = node.kind === 'element' && node.box?.style.topmost === true ? initial : (given[node.parent] ?? initial);
    const { box } = node;
    if (box === undefined || node.index === 0) {
      given[node.index] = around;
      continue;
    }
    if (node.kind !== 'element') {
      sights.push(seeText({ node, box, placement }, around));
      given[node.index] = around;
      continue;
    }
    const seen = seeElement({ node, box, placement }, around);
    sights.push(seen);
    given[node.index] = surround(seen, { around, placement, isViewport: node.tag === 'HTML' || node === body });
  }
  return sights;
}

interface Placed {
  readonly node: DomNode;
  readonly box: Box;
  readonly placement: Placement;
}

function seeText({ node, box, placement }: Placed, { flow, opacity, skewed, turned }: ClipChain): NodeVisibility {
  const bounds = place(box.bounds, placement);
  return { node, box, bounds, shown: visiblePart(bounds, flow.clip), scroller: flow.scroller, opacity, skewed, turned };
}

function seeElement({ node, box, placement }: Placed, around: ClipChain): NodeVisibility {
  const { style } = box;
  const bounds = place(box.bounds, placement);
  const region = regionFor(node, around);
  const cut = shape.leave(bounds, style);
  const shown = cut === undefined ? undefined : visiblePart(bounds, region.clip, cut);
  const scroller = style.position === 'sticky' && region.scroller !== undefined ? stick(region.scroller) : region.scroller;
  const isAway = style.oneSided && isBackfacing(combine(around.space, style.transform));
  const opacity = isAway ? 0 : around.opacity * style.opacity;
  const [skewed, turned] = [around.skewed || style.skewed, around.turned || style.turned];
  return { node, box, bounds, shown, scroller, opacity, skewed, turned };
}

function regionFor({ box, drawing }: DomNode, around: ClipChain): Region {
  const position = drawing === 'part' ? 'static' : box?.style.position;
  if (position === 'fixed') return around.fixed;
  if (position !== 'absolute') return around.flow;
  const { absolute, locked } = around;
  return locked === undefined ? absolute : { ...absolute, clip: clipAxes(absolute.clip, locked, { x: true, y: false }) };
}

/** A part of a drawing that has a box like any other element and contains even fixed descendants. */
function isForeign({ tag }: Pick<DomNode, 'tag'>): boolean {
  return tag === 'FOREIGNOBJECT';
}

/** A box clipped to two pixels or less counts as invisible: this is the usual way to hide text visually. */
function visiblePart(bounds: Rect, ...clips: readonly Rect[]): Rect | undefined {
  const shown = clips.reduce<Rect | undefined>((rest, clip) => rest && intersect(rest, clip), bounds);
  if (shown === undefined) return undefined;
  const isCut = shown.width < bounds.width || shown.height < bounds.height;
  return isCut && Math.min(shown.width, shown.height) <= CLIPPED ? undefined : shown;
}

/** A sticky box may be anywhere in its containing block, as if it were scrolled through all of it. */
function stick(outer: Scroller): Scroller {
  const view = outer.reach;
  const { x, y, width, height } = view;
  return { outer, view, reach: { x: x - width, y: y - height, width: 3 * width, height: 3 * height } };
}

interface SurroundOptions {
  readonly around: ClipChain;
  readonly placement: Placement;
  /** Its overflow applies to the window (CSS Overflow 3, propagation to the viewport). */
  readonly isViewport: boolean;
}

function surround(seen: NodeVisibility, { around, placement, isViewport }: SurroundOptions): ClipChain {
  const { node, box, bounds, scroller } = seen;
  const { style } = box;
  const region = regionFor(node, around);
  const cut = style.clipPath === 'none' && style.clip === 'auto' ? undefined : (shape.leave(bounds, style) ?? NOTHING);
  const own = cutTo({ clip: region.clip, scroller }, cut);
  const flow = isViewport ? own : overflow(seen, own, placement);
  const isPart = node.drawing === 'part';
  const contains = isPart ? isForeign(node) : style.contains;
  const positioned = (style.position !== 'static' && !isPart) || contains;
  return {
    flow,
    absolute: positioned ? flow : cutTo(around.absolute, cut),
    fixed: contains && !isViewport ? flow : cutTo(around.fixed, cut),
    // Each face in a 3D space is rotated separately.
    opacity: style.deep ? around.opacity : seen.opacity,
    skewed: seen.skewed,
    turned: seen.turned,
    space: style.deep ? combine(around.space, style.transform) : undefined,
    locked: style.overflowX === 'scroll' && !isViewport ? undefined : around.locked,
  };
}

function cutTo(region: Region, cut: Rect | undefined): Region {
  return cut === undefined ? region : { ...region, clip: intersect(region.clip, cut) ?? NOTHING };
}

/** The part of its content that a box does not clip. */
function overflow({ node: { tag, drawing }, box, turned }: NodeVisibility, region: Region, placement: Placement): Region {
  const { overflowX, overflowY } = box.style;
  // A drawing has a box even in a line of text. Among its parts, the position of those that clip is unknown.
  const isUncut = (box.style.inline && tag !== 'SVG') || (drawing === 'part' && !isForeign({ tag }));
  if (isUncut || (overflowX === 'visible' && overflowY === 'visible')) return region;
  const inner = overflowBox({ box, turned }, placement);
  // The axes of a rotated box are not those of the page.
  const isScroller = turned && [overflowX, overflowY].includes('scroll');
  const scrolls = { x: isScroller || overflowX === 'scroll', y: isScroller || overflowY === 'scroll' };
  const view = clipAxes(region.clip, inner, { x: overflowX !== 'visible', y: overflowY !== 'visible' });
  // A box that an animation opens, such as a heading that is typed.
  if (box.style.animated && (inner.width <= 1 || inner.height <= 1)) return region;
  if (!scrolls.x && !scrolls.y) return { ...region, clip: view };
  if (view.width === 0 || view.height === 0) return { ...region, clip: NOTHING };
  const area = scrollArea({ box, turned }, placement);
  const reach = {
    x: scrolls.x ? area.x : view.x,
    width: scrolls.x ? area.width : view.width,
    y: scrolls.y ? area.y : view.y,
    height: scrolls.y ? area.height : view.height,
  };
  return holdsAll(inner, reach) ? { ...region, clip: view } : { clip: reach, scroller: { outer: region.scroller, view, reach } };
}

/** Not scrollable, except for a rounding error. */
function holdsAll(inner: Rect, reach: Rect): boolean {
  return reach.width <= inner.width + 1 && reach.height <= inner.height + 1;
}

/** The document type has the same name. */
function rootOf({ nodes }: DomDocument): DomNode | undefined {
  return nodes.find(({ kind, tag }) => kind === 'element' && tag === 'HTML');
}

/** The body, if its overflow applies to the window. */
function bodyOf(document: DomDocument): DomNode | undefined {
  const root = rootOf(document)?.box?.style;
  const isFree = root?.overflowX === 'visible' && root.overflowY === 'visible';
  return isFree ? document.nodes.find(({ tag }) => tag === 'BODY') : undefined;
}
