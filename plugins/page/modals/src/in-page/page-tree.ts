import type { FlatTree } from '@platen/lib-page-functions';

/** Reads the document as rendered: with open shadow roots, in the current viewport. */
export class PageTree {
  readonly #clickable =
    'button, a, [role="button"], [role="link"], input[type="button"], input[type="submit"], [onclick], [class*="close" i], [aria-label*="close" i], [tabindex="0"]';

  /** All elements, including those in open shadow roots, parents first. */
  readonly all: (root?: ParentNode) => readonly Element[];

  constructor(tree: FlatTree) {
    this.all = (root = document) => tree.elements(root);
  }

  /** The parent, or the host of its shadow tree; slots are ignored. */
  parent(element: Element): Element | null {
    if (element.parentElement !== null) return element.parentElement;
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
  }

  contains(outer: Element, inner: Element): boolean {
    for (let at: Element | null = inner; at !== null; at = this.parent(at)) if (at === outer) return true;
    return false;
  }

  /** The visible text. */
  text(element: Element): string {
    const own = element instanceof HTMLElement ? element.innerText : '';
    const hosts = [element, ...Array.from(element.querySelectorAll('*'))].flatMap(({ shadowRoot }) =>
      shadowRoot === null ? [] : [shadowRoot],
    );
    const inside = hosts.flatMap((root) => Array.from(root.children).map((child) => (this.isShown(child) ? this.text(child) : '')));
    return [own, ...inside].join('\n').replace(/\s+/g, ' ').trim();
  }

  isShown(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2) return getComputedStyle(element).display === 'contents';
    return (
      element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
      (element.checkVisibility({ opacityProperty: true }) || element.getAnimations().length > 0)
    );
  }

  /** Whether a part of it is in the viewport, or about to enter it. */
  isInView(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return (right > 0 && bottom > 0 && left < innerWidth && top < innerHeight) || element.getAnimations().length > 0;
  }

  /** The share of the viewport that its box covers, 0 to 1. */
  cover(element: Element): number {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const width = Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0));
    const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    return (width * height) / Math.max(1, innerWidth * innerHeight);
  }

  /** The innermost clickable elements in it. */
  clickables(element: Element): readonly HTMLElement[] {
    const found = this.all(element.shadowRoot ?? element)
      .concat(element.shadowRoot === null ? [] : this.all(element))
      .filter((inner): inner is HTMLElement => inner instanceof HTMLElement && this.#isClickable(inner) && this.isShown(inner));
    const outer = new Set<Element>();
    for (const inner of found.filter((one) => one.matches('button, a, input'))) {
      for (let at = inner.parentElement; at !== null && at !== element && !outer.has(at); at = at.parentElement) outer.add(at);
    }
    return found.filter((one) => !outer.has(one));
  }

  /** Elements with click listeners usually have the hand cursor, and their parents do not. */
  #isClickable(element: HTMLElement): boolean {
    if (element.matches(this.#clickable)) return true;
    const isHand = (at: Element | null) => at !== null && getComputedStyle(at).cursor === 'pointer';
    return isHand(element) && !isHand(element.parentElement);
  }

  /** Whether a link opens another page, as opposed to a URL that records an answer. */
  leavesScope(element: HTMLElement): boolean {
    if (!(element instanceof HTMLAnchorElement)) return false;
    const href = element.getAttribute('href') ?? '';
    if (href === '' || /^(?:#|javascript:)/i.test(href) || /accept|agree|reject|decline|refuse|dismiss|[?&]/i.test(href)) return false;
    return element.pathname !== location.pathname || element.origin !== location.origin;
  }

  /** A cross or a small icon, in an upper corner of a box or at the end of a strip. */
  isCornerIcon(button: HTMLElement): boolean {
    const box = button.getBoundingClientRect();
    const label = this.label(button);
    const isCross = /^[×✕✖⨉✗⨯╳❌xX]$/u.test(label);
    if (box.width > 72 || box.height > 72 || !(isCross || (label === '' && button.querySelector('svg, img, i, span') !== null)))
      return false;
    let outer = this.parent(button);
    const isSmall = ({ width, height }: DOMRect) => width < 180 || height < 40;
    while (outer !== null && outer !== document.body && isSmall(outer.getBoundingClientRect())) outer = this.parent(outer);
    if (outer === null || outer === document.body) return false;
    const { top, left, right, height } = outer.getBoundingClientRect();
    const atSide = Math.min(Math.abs(right - box.right), Math.abs(box.left - left)) < 48;
    return atSide && (Math.abs(box.top - top) < 48 || height < 140);
  }

  /** Its visible label, otherwise its accessible name. */
  label(element: HTMLElement): string {
    const value = element instanceof HTMLInputElement ? element.value : '';
    const names = [
      element.innerText,
      value,
      element.getAttribute('aria-label'),
      element.title,
      element.querySelector('img, svg')?.getAttribute('alt'),
    ];
    const name = names.find((text) => text !== null && text !== undefined && text.trim() !== '') ?? '';
    return name.replace(/\s+/g, ' ').trim();
  }

  /** How it overlays the page; undefined if it does not. */
  layer(element: Element): 'top' | 'fixed' | 'sticky' | 'absolute' | 'dialog' | undefined {
    if (element.matches(':modal, :popover-open')) return 'top';
    const { position, zIndex } = getComputedStyle(element);
    if (position === 'fixed') return 'fixed';
    if (element.matches('[role="dialog"], [role="alertdialog"], [aria-modal="true"], dialog[open]')) return 'dialog';
    const { top, bottom } = element.getBoundingClientRect();
    if (position === 'sticky' && (Math.abs(bottom - innerHeight) < 24 || Math.abs(top) < 2)) return 'sticky';
    const cover = this.cover(element);
    const depth = Number(zIndex);
    const isInFront = (depth >= 1000 && cover > 0.01) || (depth >= 100 && cover > 0.02) || (depth >= 1 && cover >= 0.3);
    if (position === 'absolute' && isInFront) return 'absolute';
    return undefined;
  }

  /** Whether it shows only the beginning of its content, or makes it unreadable. */
  isCut(element: HTMLElement): boolean {
    const { overflowY, maxHeight, height, filter, maskImage } = getComputedStyle(element);
    if (filter.includes('blur(') || maskImage.includes('gradient')) return true;
    const isShort = element.scrollHeight > element.clientHeight + 60 && (maxHeight !== 'none' || height !== 'auto');
    return isShort && (overflowY === 'hidden' || overflowY === 'clip');
  }
}
