import type { Rect } from '@platen/kernel';
import type { Box, DomDocument, DomNode } from '../document.js';
import { canvasArea, overflowClipArea, place, scrollableOverflow, type Placement } from '../placement.js';
import { clipAxes, intersect, NOWHERE } from '../rect.js';
import { shouldYield, yieldToEventLoop } from '../yielding.js';
import { ClipShape, combine, isBackfacing, type Linear } from './index.js';

const shape = new ClipShape();

/** CSS pixels of a clipped box in which nothing is readable: the usual way to hide text from users. */
const CLIPPED = 2;
/** CSS pixels of a side of a frame's window in which nothing is readable: frames that only count visitors. */
const SLIVER = 1;

/** Something whose content moves independently of the outside: a document's window, a scroll container, a sticky box. */
export interface Scroller {
  /** Undefined: it is directly in the main window. */
  readonly outer: Scroller | undefined;
  /** Where its content is visible. */
  readonly view: Rect;
  /** Current position of all content that can be scrolled into view. */
  readonly area: Rect;
}

/** Where content can be visible. All in CSS pixels of the main document at its current scroll position. */
export interface Region {
  readonly clip: Rect;
  /** Undefined: fixed to the main window. */
  readonly scroller: Scroller | undefined;
}

/** What an element passes on to its descendants: clipping by their `position`, and effects. */
interface ClipChain extends Effects {
  readonly flow: Region;
  readonly absolute: Region;
  readonly fixed: Region;
  /** Orientation of its 3D space; undefined if it is flat. */
  readonly space: Linear | undefined;
  /** A main window that the user cannot scroll horizontally. */
  readonly locked: Rect | undefined;
}

/** Effects of a node's own style and of its ancestors. */
export interface Effects {
  readonly opacity: number;
  readonly rotated: boolean;
  readonly flipped: boolean;
  /** In a layer with a negative z-index. */
  readonly beneath: boolean;
}

/** Where one node is visible. */
export interface NodeVisibility extends Effects {
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
}

/** A document's window within the main document. */
export interface DocumentWindow extends Effects {
  readonly placement: Placement;
  /** The region of elements that are fixed to it. */
  readonly fixed: Region;
  readonly view: Rect;
  /** The element that owns the frame; undefined for the main document. */
  readonly owner: DomNode | undefined;
  /** A phone scales a page down until its whole width is visible. */
  readonly mobile: boolean;
}

/** Walks a document from its root and computes where each node with a box is visible, in document order. */
export async function computeDocument(document: DomDocument, window: DocumentWindow): Promise<readonly NodeVisibility[]> {
  const { placement } = window;
  const initial = initialChain(document, window);
  const chains: ClipChain[] = [];
  const computed: NodeVisibility[] = [];
  const body = viewportBody(document);
  for (const node of document.nodes) {
    if (shouldYield()) await yieldToEventLoop();
    const { box, index, kind, parent, tag } = node;
    const inherited = kind === 'element' && box?.style.inTopLayer === true ? initial : (chains[parent] ?? initial);
    chains[index] = inherited;
    if (box === undefined || index === 0) continue;
    if (kind !== 'element') {
      const { flow, opacity, rotated, flipped, beneath } = inherited;
      const bounds = place(box.bounds, placement);
      computed.push({
        node,
        box,
        bounds,
        shown: visiblePart(bounds, flow.clip),
        scroller: flow.scroller,
        opacity,
        rotated,
        flipped,
        beneath,
      });
      continue;
    }
    const visibility = elementVisibility({ node, box, placement }, inherited);
    computed.push(visibility);
    chains[index] = clipChainOf(visibility, { inherited, placement, isViewport: tag === 'HTML' || node === body });
  }
  return computed;
}

/** The clip chain of a document's root: its window and the whole scrollable area of that window. */
function initialChain(document: DomDocument, { placement, fixed, view, owner, mobile, ...effects }: DocumentWindow): ClipChain {
  const { content, viewport } = document;
  const area = place(canvasArea(document), placement);
  const axes = owner === undefined ? { x: true, y: true } : frameAxes(document, owner);
  const scrolls = { x: axes.x && content.width > viewport.width + 1, y: axes.y && content.height > viewport.height + 1 };
  const hasArea = view.width > SLIVER && view.height > SLIVER;
  const shown = hasArea ? clipAxes(area, fixed.clip, { x: !scrolls.x, y: !scrolls.y }) : NOWHERE;
  const isScroller = hasArea && (scrolls.x || scrolls.y);
  const flow = { clip: shown, scroller: isScroller ? { outer: fixed.scroller, view, area: shown } : fixed.scroller };
  // Content placed beside such a window is hidden on purpose (a drawer), while overflowing content may become visible (a section that
  // slides). Vertical scrolling is often disabled only temporarily, by a dialog or a banner.
  const locked = owner !== undefined || mobile || windowAxes(document).x ? undefined : view;
  return { ...effects, flow, absolute: flow, fixed, space: undefined, locked };
}

/** The axes along which a user can scroll a frame's window. */
function frameAxes(document: DomDocument, owner: DomNode): { readonly x: boolean; readonly y: boolean } {
  if (/^(no|off|noscroll)$/i.test(owner.attributes.get('scrolling') ?? '')) return { x: false, y: false };
  return windowAxes(document);
}

/** HTML, `scrolling`; CSS Overflow 3, propagation to the viewport. */
function windowAxes(document: DomDocument): { readonly x: boolean; readonly y: boolean } {
  const style = (viewportBody(document) ?? rootOf(document))?.box?.style;
  return { x: style?.overflowX !== 'clip', y: style?.overflowY !== 'clip' };
}

interface Placed {
  readonly node: DomNode;
  readonly box: Box;
  readonly placement: Placement;
}

function elementVisibility({ node, box, placement }: Placed, inherited: ClipChain): NodeVisibility {
  const { style } = box;
  const bounds = place(box.bounds, placement);
  const region = regionOf(node, inherited);
  const cut = shape.leave(bounds, style);
  const shown = cut === undefined ? undefined : visiblePart(bounds, region.clip, cut);
  const scroller = style.position === 'sticky' && region.scroller !== undefined ? stickyScroller(region.scroller) : region.scroller;
  const facesAway = style.hidesBackface && isBackfacing(combine(inherited.space, style.transform));
  return {
    node,
    box,
    bounds,
    shown,
    scroller,
    opacity: facesAway ? 0 : inherited.opacity * style.opacity,
    rotated: inherited.rotated || style.rotated,
    flipped: inherited.flipped || style.flipped,
    beneath: inherited.beneath || style.zIndex < 0,
  };
}

function regionOf({ box, drawing }: DomNode, { flow, absolute, fixed, locked }: ClipChain): Region {
  const position = drawing === 'part' ? 'static' : box?.style.position;
  if (position === 'fixed') return fixed;
  if (position !== 'absolute') return flow;
  return locked === undefined ? absolute : { ...absolute, clip: clipAxes(absolute.clip, locked, { x: true, y: false }) };
}

function visiblePart(bounds: Rect, ...clips: readonly Rect[]): Rect | undefined {
  const shown = clips.reduce<Rect | undefined>((rest, clip) => rest && intersect(rest, clip), bounds);
  if (shown === undefined) return undefined;
  const isCut = shown.width < bounds.width || shown.height < bounds.height;
  return isCut && Math.min(shown.width, shown.height) <= CLIPPED ? undefined : shown;
}

/** A sticky box may be anywhere in its containing block, as if it were scrolled through all of it. */
function stickyScroller(outer: Scroller): Scroller {
  const { x, y, width, height } = outer.area;
  return { outer, view: outer.area, area: { x: x - width, y: y - height, width: 3 * width, height: 3 * height } };
}

interface ChainOptions {
  readonly inherited: ClipChain;
  readonly placement: Placement;
  /** Its overflow applies to the window (CSS Overflow 3, propagation to the viewport). */
  readonly isViewport: boolean;
}

function clipChainOf(visibility: NodeVisibility, { inherited, placement, isViewport }: ChainOptions): ClipChain {
  const { node, box, bounds, scroller, rotated, flipped, beneath } = visibility;
  const { style } = box;
  const cut = style.clipPath === 'none' && style.clip === 'auto' ? undefined : (shape.leave(bounds, style) ?? NOWHERE);
  const own = clipRegion({ clip: regionOf(node, inherited).clip, scroller }, cut);
  const flow = isViewport ? own : overflowRegion(visibility, own, placement);
  const isPart = node.drawing === 'part';
  const isContainingBlock = isPart ? isForeignObject(node) : style.isContainingBlock;
  const isPositioned = (style.position !== 'static' && !isPart) || isContainingBlock;
  return {
    flow,
    absolute: isPositioned ? flow : clipRegion(inherited.absolute, cut),
    fixed: isContainingBlock && !isViewport ? flow : clipRegion(inherited.fixed, cut),
    // Each face in a 3D space is rotated separately.
    opacity: style.preserves3d ? inherited.opacity : visibility.opacity,
    rotated,
    flipped,
    beneath,
    space: style.preserves3d ? combine(inherited.space, style.transform) : undefined,
    locked: style.overflowX === 'scroll' && !isViewport ? undefined : inherited.locked,
  };
}

function clipRegion(region: Region, by: Rect | undefined): Region {
  return by === undefined ? region : { ...region, clip: intersect(region.clip, by) ?? NOWHERE };
}

/** Where a box does not clip its content. */
function overflowRegion({ node, box, flipped }: NodeVisibility, region: Region, placement: Placement): Region {
  const { overflowX, overflowY, inline } = box.style;
  // A drawing has a box even in a line of text. Among its parts, the position of those that clip is unknown.
  const clipsNothing = (inline && node.tag !== 'SVG') || (node.drawing === 'part' && !isForeignObject(node));
  if (clipsNothing || (overflowX === 'visible' && overflowY === 'visible')) return region;
  const inner = overflowClipArea({ box, flipped }, placement);
  // The axes of a rotated box are not those of the page.
  const isScroller = flipped && [overflowX, overflowY].includes('scroll');
  const scrolls = { x: isScroller || overflowX === 'scroll', y: isScroller || overflowY === 'scroll' };
  const view = clipAxes(region.clip, inner, { x: overflowX !== 'visible', y: overflowY !== 'visible' });
  if (!scrolls.x && !scrolls.y) return { ...region, clip: view };
  if (view.width === 0 || view.height === 0) return { ...region, clip: NOWHERE };
  const all = scrollableOverflow({ box, flipped }, placement);
  const [across, down] = [scrolls.x ? all : view, scrolls.y ? all : view];
  const area = { x: across.x, width: across.width, y: down.y, height: down.height };
  // Except for a rounding error, there is nothing to scroll to.
  const fits = area.width <= inner.width + 1 && area.height <= inner.height + 1;
  return fits ? { ...region, clip: view } : { clip: area, scroller: { outer: region.scroller, view, area } };
}

/** A part of a drawing that has a box like any other element and contains even fixed descendants. */
function isForeignObject({ tag }: DomNode): boolean {
  return tag === 'FOREIGNOBJECT';
}

/** The document type has the same name. */
function rootOf({ nodes }: DomDocument): DomNode | undefined {
  return nodes.find(({ kind, tag }) => kind === 'element' && tag === 'HTML');
}

/** The body, if its overflow applies to the window. */
function viewportBody(document: DomDocument): DomNode | undefined {
  const root = rootOf(document)?.box?.style;
  const isFree = root?.overflowX === 'visible' && root.overflowY === 'visible';
  return isFree ? document.nodes.find(({ tag }) => tag === 'BODY') : undefined;
}
