/**
 * Runs in the page: closes over nothing. What has a box and is not seen all the same: by the ways in which pages hide text that
 * `display` and `visibility` say nothing of.
 */
export class NodeSight {
  /** Neither the element nor what is in it is seen. */
  isUnseen(element: Element, style: CSSStyleDeclaration): boolean {
    if (style.opacity === '0' && !this.#awaitsScrolling(element, style)) return true;
    const { display, position } = style;
    const boxed = display !== 'inline' && display !== 'contents';
    if (boxed && this.#isShut(element, style)) return true;
    return position !== 'static' && (this.#isClipped(style) || this.#isOutside(element, style));
  }

  /** Whether text of its own can be read. */
  isLegible({ fontSize, textIndent }: CSSStyleDeclaration): boolean {
    return fontSize !== '0px' && !(textIndent.startsWith('-') && Number.parseFloat(textIndent) <= -999);
  }

  /** Pages fade parts in when they are scrolled to: in the flow, below what is in view, and ready to change. */
  #awaitsScrolling(element: Element, { position, transitionDuration, transitionProperty, animationName }: CSSStyleDeclaration): boolean {
    if (position === 'absolute' || position === 'fixed') return false;
    const fades = /\b(all|opacity)\b/.test(transitionProperty) && /[1-9]/.test(transitionDuration);
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

  #isClipped(style: CSSStyleDeclaration): boolean {
    const { clipPath } = style;
    // Deprecated, and still how most pages write for screen readers only.
    const clip = style.getPropertyValue('clip');
    // rect(top, right, bottom, left), in pixels.
    const [top = 0, right = Infinity, bottom = Infinity, left = 0] = clip.startsWith('rect(') ? this.#numbers(clip) : [];
    if (right - left <= 1 || bottom - top <= 1) return true;
    if (/^circle\(0(px|%)?[ )]/.test(clipPath)) return true;
    if (!/^inset\([\d.%\s]+\)$/.test(clipPath)) return false;
    const [up = 0, aside = up, down = up, before = aside] = this.#numbers(clipPath);
    return up + down >= 100 || aside + before >= 100;
  }

  /** NaN, as of `auto`, compares as not clipped. */
  #numbers(text: string): readonly number[] {
    return text
      .slice(text.indexOf('(') + 1)
      .split(/[,\s]+/)
      .map((part) => Number.parseFloat(part));
  }

  /** Where nobody can scroll to: before the beginning of the document, or beside the window for what does not scroll. */
  #isOutside(element: Element, { position }: CSSStyleDeclaration): boolean {
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const view = element.ownerDocument.defaultView;
    if (view === null) return false;
    // What has no size of its own may hold what stands elsewhere, unless it was shrunk to that.
    if (width === 0 || height === 0) return element instanceof HTMLElement && element.offsetWidth > 0 && element.offsetHeight > 0;
    if (position === 'fixed') return right <= 0 || bottom <= 0 || left >= view.innerWidth || top >= view.innerHeight;
    if (bottom + view.scrollY <= 0) return true;
    const root = element.ownerDocument.documentElement;
    const leftwards = view.getComputedStyle(root).direction === 'rtl';
    return leftwards ? left + view.scrollX >= root.clientWidth : right + view.scrollX <= 0;
  }
}
