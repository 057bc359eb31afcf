import { flowOf, isFixedContainingBlock } from '@platen/lib-accessibility-tree/visibility';
import type { FlatTree } from '@platen/lib-page-functions';
import type { ScrollableOverflow, Part, Span } from './scrollable-overflow.js';
import type { NodeAnimation } from './node-animation.js';
import type { NodeTransform } from './node-transform.js';
import type { TopLayer } from './top-layer.js';

export interface ClippingParts {
  readonly tree: FlatTree;
  readonly top: TopLayer;
  readonly edges: ScrollableOverflow;
  readonly transform: NodeTransform;
  readonly animation: NodeAnimation;
}

/** How a box clips and positions its content. */
interface Holder {
  readonly position: string;
  /** Whether it is the containing block of absolute and of fixed elements. */
  readonly containsAbsolute: boolean;
  readonly containsFixed: boolean;
  /** No box further out contains it. */
  readonly top: boolean;
  /** Undefined: does not clip. */
  readonly cut: { readonly x: Cut | undefined; readonly y: Cut | undefined } | undefined;
}

/** Along one axis. */
interface Cut {
  readonly box: Span;
  /** Everything that can be scrolled into the box, at its current position; undefined: a person cannot scroll it. */
  readonly area: Span | undefined;
  readonly shut: boolean;
}

/**
 * Checks whether a text or box can be seen or scrolled to, by its containing boxes
 * (CSS Positioned Layout 3, containing blocks): a box does not clip an element whose containing block is further out. The document must
 * not change meanwhile.
 */
export class NodeClipping {
  readonly #parts: ClippingParts;
  readonly #holders = new Map<Element, Holder>();
  readonly #texts = new Map<Text, boolean>();
  readonly #inside = new Map<Node, boolean>();
  readonly #replaced = new Set('img svg input select textarea iframe frame object hr math'.split(' '));

  readonly #boxes = new Map<Element, Part>();
  readonly #lost = new Set<Element>();

  constructor(parts: ClippingParts) {
    this.#parts = parts;
  }

  /** Only top-layer content in the element is visible. */
  lose(element: Element): void {
    this.#lost.add(element);
    this.#texts.clear();
    this.#inside.clear();
  }

  /** Some text or image in the element, or the element itself, is in a visible place. Transparency is not checked. */
  holdsSeen(element: Element): boolean {
    const known = this.#inside.get(element);
    if (known !== undefined) return known;
    const holds =
      (this.#replaced.has(element.localName) && this.showsBox(element)) ||
      this.#parts.tree.children(element).some((child) => {
        if (this.#parts.tree.isText(child)) return this.showsText(child);
        return this.#parts.tree.isElement(child) && this.holdsSeen(child);
      });
    this.#inside.set(element, holds);
    return holds;
  }

  showsText(text: Text): boolean {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const parent = this.#parts.tree.above(text);
    if (parent === null) return false;
    // A word that an indent moves out of its box does not come into view later, as a slide does.
    const placed = this.isIndentedAway(getComputedStyle(parent).textIndent);
    const shown =
      /\S/.test(text.data) && this.#rectsOf(text).some((part) => this.#isScrollableTo(part, parent, { by: 'static', placed, of: parent }));
    this.#texts.set(text, shown);
    return shown;
  }

  /** The first line begins at the far end of its box, or further out. */
  isIndentedAway(textIndent: string): boolean {
    const indent = Number.parseFloat(textIndent);
    return indent <= -999 || indent >= (textIndent.endsWith('%') ? 100 : 999);
  }

  /** In a drawing: it has no CSS box, whatever its style (SVG 2). */
  isDrawn(element: Element): boolean {
    return this.#drawingOf(element) !== null && element.localName !== 'foreignObject';
  }

  /** A part of a drawing is in the drawing's viewport, unless that does not clip. */
  isInDrawing(element: Element): boolean {
    // Content that a `switch` does not select is not drawn.
    if (element.getClientRects().length === 0) return false;
    let drawing = this.#drawingOf(element);
    for (let at = drawing; at !== null; at = this.#drawingOf(at)) drawing = at;
    if (drawing === null || getComputedStyle(drawing).overflowX === 'visible') return true;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const view = drawing.getBoundingClientRect();
    return width === 0 || height === 0 || (right > view.left && left < view.right && bottom > view.top && top < view.bottom);
  }

  #drawingOf(element: Element): SVGSVGElement | null {
    // By its namespace it is part of a drawing, of any window.
    return 'ownerSVGElement' in element ? (element as SVGElement).ownerSVGElement : null;
  }

  /** A piece of a line: size, overflow and containment do not apply to it (CSS Overflow 3, CSS Ruby 1). */
  isInLine(display: string): boolean {
    return display === 'inline' || display.startsWith('ruby');
  }

  /** In the top layer. */
  isOnTop(element: Element): boolean {
    return this.#parts.top.has(element);
  }

  /** How far outside a clipping box content may still be visible: CSS Overflow 4. */
  clipMargin(overflow: string, { overflowClipMargin }: CSSStyleDeclaration): number {
    return overflow === 'clip' ? Number.parseFloat(/[\d.]+px/.exec(overflowClipMargin)?.[0] ?? '0') : 0;
  }

  showsBox(element: Element): boolean {
    const { position } = getComputedStyle(element);
    return this.#partsOf(element.getClientRects()).some((part) => this.showsPart(part, element, position));
  }

  /** As `showsBox`, of a part of the element. */
  showsPart(part: Part, element: Element, position: string): boolean {
    // A positioned element is clipped where it leaves a box. Content in the flow may come into view later (a carousel).
    const placed = this.#isPlaced(position);
    const start = { by: position, placed, of: element };
    return (
      this.#isScrollableTo(part, this.#parts.tree.above(element), start) ||
      (placed && this.isOnTop(element) && this.#isScrollableTo(part, null, start))
    );
  }

  #rectsOf(text: Text): readonly Part[] {
    const range = text.ownerDocument.createRange();
    range.selectNodeContents(text);
    return this.#partsOf(range.getClientRects());
  }

  #partsOf(rects: DOMRectList): readonly Part[] {
    return Array.from(rects)
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, right, top, bottom }) => ({ x: { from: left, to: right }, y: { from: top, to: bottom } }));
  }

  /** From the box that contains it outwards. */
  #isScrollableTo(
    part: Part,
    parent: Element | null,
    { of, ...start }: { readonly by: string; readonly placed: boolean; readonly of: Element },
  ): boolean {
    let { x, y } = part;
    let { by, placed } = start;
    for (let at = parent; at !== null; at = this.#parts.tree.above(at)) {
      if (this.#lost.has(at)) return false;
      const holder = this.#holderOf(at);
      const holds = by === 'fixed' ? holder.containsFixed : by !== 'absolute' || holder.containsAbsolute;
      if (holds && holder.cut !== undefined) {
        const left = this.#within(x, holder.cut.x, { placed });
        const up = this.#within(y, holder.cut.y, { placed });
        if (left === undefined || up === undefined) return false;
        [x, y] = [left, up];
      }
      if (holds) {
        const own = this.#isPlaced(by) || this.#isPlaced(holder.position) ? this.#boxOf(at) : undefined;
        const goesWith = own !== undefined && this.#overlap(x, own.x) && this.#overlap(y, own.y);
        // A positioned element in a box comes into view with the box. A positioned box represents its content.
        if (goesWith) placed = false;
        if (goesWith && this.#isPlaced(holder.position)) ({ x, y } = own);
        by = holder.position;
      }
      placed ||= this.#isPlaced(by);
      if (holder.top) break;
    }
    const { edges } = this.#parts;
    if (by === 'fixed') return edges.isInWindow({ x, y }, of.ownerDocument);
    return edges.isInDocument({ x, y }, of.ownerDocument, { placed });
  }

  /** Its visible place once it is scrolled to; undefined: none. */
  #within(span: Span, cut: Cut | undefined, { placed }: { readonly placed: boolean }): Span | undefined {
    if (cut === undefined) return span;
    const { box, area, shut } = cut;
    if (shut) return undefined;
    if (this.#overlap(span, box)) return { from: Math.max(span.from, box.from), to: Math.min(span.to, box.to) };
    return (area === undefined ? !placed : this.#overlap(span, area)) ? box : undefined;
  }

  #overlap(one: Span, other: Span): boolean {
    return one.to > other.from && one.from < other.to;
  }

  #isPlaced(position: string): boolean {
    return position === 'absolute' || position === 'fixed';
  }

  #boxOf(element: Element): Part {
    const known = this.#boxes.get(element);
    if (known !== undefined) return known;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const box = { x: { from: left, to: right }, y: { from: top, to: bottom } };
    this.#boxes.set(element, box);
    return box;
  }

  #holderOf(element: Element): Holder {
    const known = this.#holders.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const { position, display } = style;
    const boxed = display !== 'contents' && !this.isInLine(display);
    const containsFixed = boxed && isFixedContainingBlock(style);
    const holder = {
      position,
      containsFixed,
      containsAbsolute: containsFixed || (position !== 'static' && display !== 'contents'),
      top: this.#parts.top.has(element),
      cut: boxed && !this.isDrawn(element) ? this.#cutOf(element, style) : undefined,
    };
    this.#holders.set(element, holder);
    return holder;
  }

  #cutOf(element: Element, style: CSSStyleDeclaration): Holder['cut'] {
    // Table rows do not clip, and the overflow of these elements applies to the window.
    if (/^table-(row|header|footer|column)/.test(style.display) || this.#parts.edges.isWindows(element)) return undefined;
    // Content outside a box with paint containment is not painted (CSS Containment 2).
    const contained = /paint|strict|content/.test(style.contain) || style.contentVisibility === 'auto';
    const [overflowX, overflowY] = [style.overflowX, style.overflowY].map((value) => (contained && value === 'visible' ? 'clip' : value));
    if (overflowX === undefined || overflowY === undefined || (overflowX === 'visible' && overflowY === 'visible')) return undefined;
    if (this.#parts.animation.isOpening(element)) return undefined;
    const bounds = element.getBoundingClientRect();
    const body = element.localName === 'body';
    const flow = flowOf(style);
    // On the screen its sides and scroll direction differ, so all of its content counts as reachable.
    const turned = (/auto|scroll/.test(overflowX + overflowY) || overflowX !== overflowY) && !this.#parts.transform.isUpright(element);
    const { clientWidth, clientHeight, scrollWidth, scrollHeight, scrollLeft, scrollTop } = element;
    const cutTo = (
      overflow: string,
      side: Span,
      { client, scroll, at, back }: Record<'client' | 'scroll' | 'at', number> & { back: boolean },
    ) => {
      if (overflow === 'visible') return undefined;
      const zoom = client > 0 ? (side.to - side.from) / client : 1;
      const start = back ? side.to - (scroll + at) * zoom : side.from - at * zoom;
      const scrolled = overflow === 'auto' || overflow === 'scroll' ? { from: start, to: start + scroll * zoom } : undefined;
      const area = turned ? { from: -Infinity, to: Infinity } : scrolled;
      const margin = this.clipMargin(overflow, style);
      return { box: { from: side.from - margin, to: side.to + margin }, area, shut: client <= 1 && margin === 0 && !body };
    };
    return {
      x: cutTo(
        overflowX,
        { from: bounds.left, to: bounds.right },
        { client: clientWidth, scroll: scrollWidth, at: scrollLeft, back: flow.left },
      ),
      y: cutTo(
        overflowY,
        { from: bounds.top, to: bounds.bottom },
        { client: clientHeight, scroll: scrollHeight, at: scrollTop, back: flow.up },
      ),
    };
  }
}
