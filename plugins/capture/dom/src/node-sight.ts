import type { ClipShape, combine, facesAway, Linear, Paint, parseRotate, parseTransform } from '@platen/lib-tree/sight';
import type { NodeReach } from './node-reach.js';

/** What judges computed values. */
export interface SightParts {
  readonly shape: ClipShape;
  readonly paint: Paint;
  readonly reach: NodeReach;
  readonly parseTransform: typeof parseTransform;
  readonly parseRotate: typeof parseRotate;
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

  /**
   * What is seen of an element and of what is in it: all unless their own styles say otherwise; nothing; or in parts, where each text is
   * to be judged by itself: its box shows nothing, or stands where nobody sees it, and what is in it stands elsewhere.
   */
  judge(element: Element, style: CSSStyleDeclaration): 'whole' | 'parts' | 'nothing' {
    if (this.#isInvisible(element, style)) return 'nothing';
    if (!this.#isAway(element, style)) return this.#isIndentedAway(style) ? 'parts' : 'whole';
    return this.#parts.reach.holdsSeen(element) ? 'parts' : 'nothing';
  }

  /** Neither the element nor what is in it is seen, wherever that stands. */
  #isInvisible(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.opacity === '0' && !this.#awaitsSight(element, style, 'opacity')) return true;
    const { display, position } = style;
    if (display === 'contents') return false;
    const { paint } = this.#parts;
    const { filter } = style;
    if (filter !== 'none' && paint.filterOpacity(filter) === 0) return true;
    if ((position !== 'static' || style.clipPath !== 'none') && this.#isClipped(element, style)) {
      return !this.#awaitsSight(element, style, 'clip-path');
    }
    if (display === 'inline') return false;
    if (this.#isFlat(element, style) || (style.backfaceVisibility === 'hidden' && this.#isTurnedAway(element, style))) return true;
    const { maskImage } = style;
    return maskImage !== 'none' && paint.isTransparentImage(maskImage) && !this.#awaitsSight(element, style, 'mask');
  }

  /** The box shows nothing of what flows in it: shut, or where nobody sees it. */
  #isAway(element: Element, style: CSSStyleDeclaration): boolean {
    const { display, position } = style;
    if (display === 'contents') return false;
    if (display === 'inline') return position !== 'static' && this.#isOutside(element, style);
    return this.#isShut(element, style) || this.#isOutside(element, style);
  }

  /** Text of its own has a size. */
  isLegible({ fontSize }: CSSStyleDeclaration): boolean {
    return fontSize !== '0px';
  }

  #isIndentedAway({ textIndent }: CSSStyleDeclaration): boolean {
    return textIndent.startsWith('-') && Number.parseFloat(textIndent) <= -999;
  }

  /** It comes by itself or by scrolling: an animation of the property has begun, or will begin where it is scrolled to. */
  #awaitsSight(element: Element, style: CSSStyleDeclaration, property: 'opacity' | 'clip-path' | 'mask'): boolean {
    return this.#awaitsScrolling(element, style, new RegExp(`\\b(all|${property})\\b`)) || this.#isAppearing(element, property);
  }

  /** An animation or transition is on its way, or waits its delay, that shows it at some time. */
  #isAppearing(element: Element, property: 'opacity' | 'clip-path' | 'mask'): boolean {
    return element.getAnimations().some(({ playState, effect }) => {
      if (playState !== 'running' || !(effect instanceof KeyframeEffect)) return false;
      return effect.getKeyframes().some(({ opacity, clipPath, maskImage, maskPosition, maskSize }) => {
        if (property === 'opacity') return Number(opacity ?? 0) > 0;
        return property === 'mask' ? (maskImage ?? maskPosition ?? maskSize) !== undefined : clipPath !== undefined;
      });
    });
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
    const { parseTransform, parseRotate, combine, facesAway } = this.#parts;
    const turnOf = ({ rotate, transform }: CSSStyleDeclaration) => combine(parseRotate(rotate), parseTransform(transform));
    let turned: Linear | undefined = turnOf(style);
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const around = getComputedStyle(at);
      if (around.transformStyle !== 'preserve-3d') break;
      turned = combine(turnOf(around), turned);
    }
    return facesAway(turned);
  }

  /** Where nobody can scroll to - before the beginning of the document, or beside the window for what does not scroll. */
  #isOutside(element: Element, style: CSSStyleDeclaration): boolean {
    const { x: left, y: top, width, height } = element.getBoundingClientRect();
    const isFlat = width === 0 || height === 0;
    if (isFlat) return false;
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
    return beside || bottom + scrollY <= 0;
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

  /** Of no size, and so is what is in it. */
  #isFlat(element: Element, style: CSSStyleDeclaration): boolean {
    const { width, height } = element.getBoundingClientRect();
    return (width === 0 || height === 0) && (this.#isShrunk(element, style) || /paint|strict|content/.test(style.contain));
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
}
