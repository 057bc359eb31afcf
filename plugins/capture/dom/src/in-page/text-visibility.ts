import type { Rect } from '@platen/kernel';
import { ClipShape, type Paint } from '@platen/lib-accessibility-tree/visibility';
import type { FlatTree } from '@platen/lib-page-functions';
import type { ScrollableOverflow, Part } from './scrollable-overflow.js';
import type { Appearance, NodeAnimation } from './node-animation.js';
import type { NodeClipping } from './node-clipping.js';
import type { NodeTransform } from './node-transform.js';
import type { TopLayer } from './top-layer.js';

/** The helpers that evaluate computed values. */
export interface VisibilityParts {
  readonly tree: FlatTree;
  readonly paint: Paint;
  readonly clipping: NodeClipping;
  readonly edges: ScrollableOverflow;
  readonly top: TopLayer;
  readonly transform: NodeTransform;
  readonly animation: NodeAnimation;
}

/** An element that has a box, with values that are needed more than once: reading one from a style is slow. */
interface Boxed {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  readonly display: string;
  readonly position: string;
  readonly inLine: boolean;
  readonly bounds: Rect;
}

/**
 * Finds elements that have a box but are invisible, by the ways in which pages hide
 * text without `display` and `visibility`.
 */
export class TextVisibility {
  readonly #parts: VisibilityParts;
  readonly #shape = new ClipShape();
  readonly #coming = new Map<Element, boolean>();

  constructor(parts: VisibilityParts) {
    this.#parts = parts;
  }

  /**
   * The visible part of an element and its content: all, unless their own styles hide them; nothing; or in parts, where each text is
   * checked by itself: the box shows nothing or is in an invisible place, and its content is elsewhere.
   */
  check(element: Element, style: CSSStyleDeclaration, display: string): 'whole' | 'parts' | 'nothing' {
    const { clipping } = this.#parts;
    if (this.#isTransparent(element, style, display)) return this.#without(element);
    const { position, clipPath, textIndent } = style;
    const inLine = clipping.isInLine(display);
    const flows = display === 'contents' || (inLine && position === 'static');
    if (!flows || clipPath !== 'none') {
      const box = { element, style, display, position, inLine, bounds: this.#boundsOf(element) };
      if (display !== 'contents' && this.#isInvisible(box, clipPath)) return this.#without(element);
      if (!flows && this.#isUnreachable(box)) return clipping.holdsSeen(element) ? 'parts' : 'nothing';
      // A row of slides may itself be positioned outside its box.
      if ((position === 'absolute' || position === 'fixed') && this.#isLeftOut(box))
        return clipping.holdsSeen(element) ? 'whole' : 'nothing';
    }
    const indented = textIndent !== '0px' && clipping.isIndentedAway(textIndent);
    return indented && !this.#parts.animation.inheritsVisibility(element, 'text-indent') ? 'parts' : 'whole';
  }

  /** Only top-layer content in the element is visible. */
  #without(element: Element): 'parts' | 'nothing' {
    if (!this.#parts.top.isIn(element)) return 'nothing';
    this.#parts.clipping.lose(element);
    return 'parts';
  }

  #isTransparent(element: Element, style: CSSStyleDeclaration, display: string): boolean {
    if (style.opacity === '0' && !this.#awaitsView(element, style, 'opacity')) return true;
    const { filter } = style;
    const clear = filter !== 'none' && display !== 'contents' && this.#parts.paint.filterOpacity(filter) === 0;
    return clear && !this.#awaitsView(element, style, 'filter');
  }

  /** By its `visibility`, now or at some time. */
  isVisible(element: Element, { visibility }: CSSStyleDeclaration): boolean {
    return visibility === 'visible' || (visibility === 'hidden' && this.#parts.animation.inheritsVisibility(element, 'visibility'));
  }

  /** Neither the element nor its content is visible, wherever the content is. */
  #isInvisible(box: Boxed, clipPath: string): boolean {
    const { element, style } = box;
    if (this.#isClipped(box, clipPath)) return !this.#awaitsView(element, style, 'clip-path');
    if (box.inLine) return false;
    if (this.#isFlat(box) || (style.backfaceVisibility === 'hidden' && this.#parts.transform.facesAway(element, style))) return true;
    const { maskImage } = style;
    return maskImage !== 'none' && this.#parts.paint.isTransparentImage(maskImage) && !this.#awaitsView(element, style, 'mask');
  }

  /** The box shows nothing of its flow content: it is collapsed, or in a place that cannot be scrolled to. */
  #isUnreachable(box: Boxed): boolean {
    return (!box.inLine && this.#isShut(box)) || (this.#isOutside(box) && !this.#comesIn(box.element));
  }

  /** Positioned outside a box that clips it, or beside a window that cannot be scrolled there. */
  #isLeftOut({ element, position, bounds }: Boxed): boolean {
    if (bounds.width === 0 || bounds.height === 0) return false;
    const { clipping } = this.#parts;
    return !clipping.showsPart(this.#partOf(bounds), element, position) && !this.#comesIn(element);
  }

  #boundsOf(element: Element): Rect {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  }

  #partOf({ x, y, width, height }: Rect): Part {
    return { x: { from: x, to: x + width }, y: { from: y, to: y + height } };
  }

  /** Its own text has a size and a color. */
  isLegible(element: Element, style: CSSStyleDeclaration): boolean {
    const { fontSize, webkitTextFillColor: color } = style;
    if (fontSize === '0px' && !this.#parts.animation.inheritsVisibility(element, 'font-size')) return false;
    return !(color.startsWith('rgba') && color.endsWith(', 0)') && this.#isColorless(element, style));
  }

  /** Neither a shadow, outline or background makes its letters visible, nor a copy of them that styles lay over them. */
  #isColorless(element: Element, style: CSSStyleDeclaration): boolean {
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') return false;
    if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return false;
    if (['::before', '::after', '::first-letter', '::first-line'].some((part) => this.#hasInk(element, part))) return false;
    const ancestors = [element, ...this.#parts.tree.ancestors(element)];
    if (ancestors.some((at) => /\btext\b/.test(getComputedStyle(at).backgroundClip))) return false;
    return !this.#parts.animation.inheritsVisibility(element, 'color') && !this.#awaitsView(element, style, 'color');
  }

  #hasInk(element: Element, part: string): boolean {
    const { content, webkitTextFillColor } = getComputedStyle(element, part);
    const written = part.startsWith('::first') || !['none', 'normal', '""'].includes(content);
    return written && this.#parts.paint.alphaOf(webkitTextFillColor) > 0;
  }

  /** It appears by itself or on scrolling: an animation of the property has begun, or will begin when it is scrolled to. */
  #awaitsView(element: Element, style: CSSStyleDeclaration, property: Appearance): boolean {
    return (
      this.#awaitsScrolling(element, style, new RegExp(`\\b(all|${property})\\b`)) || this.#parts.animation.isAppearing(element, property)
    );
  }

  /** Pages fade elements in when they are scrolled to: elements in the flow, below the viewport, with a transition or animation. */
  #awaitsScrolling(element: Element, style: CSSStyleDeclaration, changing: RegExp): boolean {
    const { position, transitionDuration, transitionProperty, animationName } = style;
    if (position === 'absolute' || position === 'fixed') return false;
    const fades = changing.test(transitionProperty) && /[1-9]/.test(transitionDuration);
    if (!fades && animationName === 'none') return false;
    return element.getBoundingClientRect().top >= (element.ownerDocument.defaultView?.innerHeight ?? Infinity);
  }

  /** It is moving into view, or will when it is scrolled to; or an ancestor does, and it moves along. */
  #comesIn(element: Element): boolean {
    const known = this.#coming.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const above = this.#parts.tree.above(element);
    const comes =
      this.#parts.animation.isMoving(element) ||
      (this.#isOutside({ element, position: style.position, bounds: this.#boundsOf(element) }) &&
        this.#awaitsScrolling(element, style, /\b(all|transform|translate|left|right|margin)\b/)) ||
      (above !== null && this.#comesIn(above));
    this.#coming.set(element, comes);
    return comes;
  }

  /** Clips its content to a box of no size, or of one pixel. */
  #isShut({ element, style }: Boxed): boolean {
    const { overflowX, overflowY } = style;
    if (overflowX === 'visible' && overflowY === 'visible') return false;
    const { clipping } = this.#parts;
    // The overflow of html and body applies to the window. The others have no content: an image that has not loaded yet has no size.
    if (element.matches('html, body, img, hr') || clipping.isDrawn(element)) return false;
    const shuts = (overflow: string, size: number) => overflow !== 'visible' && size <= 1 && clipping.clipMargin(overflow, style) === 0;
    return (shuts(overflowY, element.clientHeight) || shuts(overflowX, element.clientWidth)) && !this.#parts.animation.isOpening(element);
  }

  #isClipped({ style, position, bounds }: Boxed, clipPath: string): boolean {
    // Deprecated, but most pages still use it for screen-reader-only text.
    const clip = position === 'absolute' || position === 'fixed' ? style.getPropertyValue('clip') : 'auto';
    if (clipPath === 'none' && clip === 'auto') return false;
    const left = this.#shape.leave(bounds, { clip, clipPath, position });
    if (left === undefined) return true;
    return (left.width <= 1 && left.width < bounds.width) || (left.height <= 1 && left.height < bounds.height);
  }

  /**
   * In a place that cannot be scrolled to: before the beginning of the document, or, for an element that does not scroll, beside the
   * window.
   */
  #isOutside({ element, position, bounds }: Pick<Boxed, 'element' | 'position' | 'bounds'>): boolean {
    if (bounds.width === 0 || bounds.height === 0) return false;
    const { edges } = this.#parts;
    const part = this.#partOf(bounds);
    return position === 'fixed'
      ? !edges.isInWindow(part, element.ownerDocument)
      : !edges.isInDocument(part, element.ownerDocument, { placed: false });
  }

  /** The element and its content have no size. */
  #isFlat({ element, style, display, bounds }: Boxed): boolean {
    if (bounds.width > 0 && bounds.height > 0) return false;
    const contained = /paint|strict|content/.test(style.contain) && !this.#parts.animation.isOpening(element);
    return contained || this.#isShrunk(element, style) || this.#isInCollapsedColumn(element, display, bounds);
  }

  #isInCollapsedColumn(element: Element, display: string, { width }: Rect): boolean {
    if (display !== 'table-cell' || width > 0) return false;
    const columns = element.closest('table')?.querySelectorAll('col, colgroup') ?? [];
    return Array.from(columns).some((column) => getComputedStyle(column).visibility === 'collapse');
  }

  /** An element without a size may contain content that is elsewhere, unless its own transform shrinks it and continues to. */
  #isShrunk(element: Element, style: CSSStyleDeclaration): boolean {
    const { transform, scale, rotate } = style;
    if (transform === 'none' && scale === 'none' && rotate === 'none') return false;
    // Elements of drawings have neither. An element of a frame belongs to another window, whose classes differ.
    const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
    return (
      offsetWidth > 0 &&
      offsetHeight > 0 &&
      !this.#awaitsScrolling(element, style, /\b(all|transform|scale|rotate)\b/) &&
      !element.getAnimations().some(({ playState }) => playState === 'running')
    );
  }
}
