import type { ClipShape, combine, facesAway, Linear, Paint, parseTransform } from '@platen/lib-tree/sight';

/** What judges computed values. */
export interface SightParts {
  readonly shape: ClipShape;
  readonly paint: Paint;
  readonly parseTransform: typeof parseTransform;
  readonly combine: typeof combine;
  readonly facesAway: typeof facesAway;
}

/**
 * Runs in the page: closes over nothing. What has a box and is not seen all the same: by the ways in which pages hide text that
 * `display` and `visibility` say nothing of.
 */
export class NodeSight {
  readonly #parts: SightParts;
  readonly #ends = new Map<Document, number>();

  constructor(parts: SightParts) {
    this.#parts = parts;
  }

  /** Neither the element nor what is in it is seen. */
  isUnseen(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.opacity === '0' && !this.#awaitsScrolling(element, style, /\b(all|opacity)\b/)) return true;
    const { display, position } = style;
    if (display === 'contents') return false;
    const { paint } = this.#parts;
    const { filter } = style;
    if (filter !== 'none' && paint.filterOpacity(filter) === 0) return true;
    if ((position !== 'static' || style.clipPath !== 'none') && this.#isClipped(element, style)) return true;
    if (display === 'inline') return position !== 'static' && this.#isOutside(element, style);
    if (this.#isShut(element, style) || (style.backfaceVisibility === 'hidden' && this.#isTurnedAway(element, style))) return true;
    const { maskImage } = style;
    if (maskImage !== 'none' && paint.isTransparentImage(maskImage)) return true;
    return this.#isOutside(element, style);
  }

  /** Whether text of its own can be read. */
  isLegible({ fontSize, textIndent }: CSSStyleDeclaration): boolean {
    return fontSize !== '0px' && !(textIndent.startsWith('-') && Number.parseFloat(textIndent) <= -999);
  }

  /** Pages fade parts in when they are scrolled to: in the flow, below what is in view, and ready to change. */
  #awaitsScrolling(element: Element, style: CSSStyleDeclaration, changing: RegExp): boolean {
    const { position, transitionDuration, transitionProperty, animationName } = style;
    if (position === 'absolute' || position === 'fixed') return false;
    const fades = changing.test(transitionProperty) && /[1-9]/.test(transitionDuration);
    if (!fades && animationName === 'none') return false;
    return element.getBoundingClientRect().top >= (element.ownerDocument.defaultView?.innerHeight ?? Infinity);
  }

  /** Clips what is in it to a box of no size, or of a pixel. */
  #isShut(element: Element, { overflowX, overflowY }: CSSStyleDeclaration): boolean {
    if (overflowX === 'visible' && overflowY === 'visible') return false;
    // What these clip is the window's; and these hold nothing: an image that has not come yet has no size.
    if (element.matches('html, body, img, hr')) return false;
    return (overflowY !== 'visible' && element.clientHeight <= 1) || (overflowX !== 'visible' && element.clientWidth <= 1);
  }

  #isClipped(element: Element, style: CSSStyleDeclaration): boolean {
    const { clipPath, position } = style;
    // Deprecated, and still how most pages write for screen readers only.
    const clip = position === 'absolute' || position === 'fixed' ? style.getPropertyValue('clip') : 'auto';
    if (clipPath === 'none' && clip === 'auto') return false;
    const bounds = element.getBoundingClientRect();
    const left = this.#parts.shape.leave(bounds, { clip, clipPath, position });
    if (left === undefined) return true;
    return (left.width <= 1 && left.width < bounds.width) || (left.height <= 1 && left.height < bounds.height);
  }

  #isTurnedAway(element: Element, style: CSSStyleDeclaration): boolean {
    const { parseTransform, combine, facesAway } = this.#parts;
    let turned: Linear | undefined = parseTransform(style.transform);
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const { transformStyle, transform } = getComputedStyle(at);
      if (transformStyle !== 'preserve-3d') break;
      turned = combine(parseTransform(transform), turned);
    }
    return facesAway(turned);
  }

  /** Where nobody can scroll to - before the beginning of the document, or beside the window for what does not scroll -, or of no size. */
  #isOutside(element: Element, style: CSSStyleDeclaration): boolean {
    const { x: left, y: top, width, height } = element.getBoundingClientRect();
    const isFlat = width === 0 || height === 0;
    if (isFlat) return this.#isShrunk(element, style) || /paint|strict|content/.test(style.contain);
    const { position } = style;
    const end = this.#endOf(element.ownerDocument);
    if (left >= 0 && top >= 0 && end === 0 && position !== 'fixed') return false;
    const view = element.ownerDocument.defaultView;
    if (view === null) return false;
    const right = left + width;
    const bottom = top + height;
    if (position === 'fixed') return right <= 0 || bottom <= 0 || left >= view.innerWidth || top >= view.innerHeight;
    const { scrollX, scrollY } = view;
    const beside = end === 0 ? right + scrollX <= 0 : left + scrollX >= end;
    return (beside || bottom + scrollY <= 0) && (position !== 'static' || !this.#isMoving(element));
  }

  /** Beyond which a document cannot be scrolled sideways: where its lines begin. */
  #endOf(document: Document): number {
    const known = this.#ends.get(document);
    if (known !== undefined) return known;
    const root = document.documentElement;
    const end = getComputedStyle(root).direction === 'rtl' ? root.clientWidth : 0;
    this.#ends.set(document, end);
    return end;
  }

  /** What has no size of its own may hold what stands elsewhere, unless its own style shrinks it to that and goes on to do so. */
  #isShrunk(element: Element, style: CSSStyleDeclaration): boolean {
    const { transform, scale, rotate } = style;
    if (transform === 'none' && scale === 'none' && rotate === 'none') return false;
    const sized = element instanceof HTMLElement && element.offsetWidth > 0 && element.offsetHeight > 0;
    return (
      sized &&
      !this.#awaitsScrolling(element, style, /\b(all|transform|scale|rotate)\b/) &&
      !element.getAnimations().some(({ playState }) => playState === 'running')
    );
  }

  /** In what is scrolled, or shows its parts by turns. */
  #isMoving(element: Element): boolean {
    for (let at = element.parentElement; at !== null && !at.matches('html, body'); at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX !== 'visible' || overflowY !== 'visible') return true;
    }
    return false;
  }
}
