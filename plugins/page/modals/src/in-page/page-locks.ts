import type { PageTree } from './page-tree.js';

/** A style of an element that makes the page unreadable or inert. */
interface Lock {
  readonly element: HTMLElement;
  /** Whether the lock is still active. */
  holds(): boolean;
  /** Properties of the `style` attribute that may cause the lock. */
  readonly properties: readonly string[];
  /** Styles to set if removing properties, classes and attributes does not help. */
  readonly otherwise: Readonly<Record<string, string>>;
}

/**
 * Reverts a modal's effects on the page behind it. Prefers removing styles over adding
 * some.
 */
export class PageLocks {
  readonly #tree: PageTree;
  readonly #telling =
    /lock|modal|open|scroll|overlay|freeze|frozen|fixed|popup|dialog|paywall|consent|cookie|backdrop|blur|clamp|trunc|gate|teaser|limit|preview|collaps|fade|hidden|locked|premium/i;

  constructor(tree: PageTree) {
    this.#tree = tree;
  }

  /** Makes the page scrollable, visible and interactive again. */
  unlock(): void {
    const { documentElement: root, body } = document;
    for (const element of [root, body]) this.#unlockScroll(element);
    const total = Math.max(1, this.#tree.text(body).length);
    for (const element of Array.from(body.querySelectorAll<HTMLElement>('[inert], [aria-hidden="true"]'))) {
      if (this.#textOf(element) < total * 0.4) continue;
      element.removeAttribute('inert');
      element.removeAttribute('aria-hidden');
    }
    for (const element of [root, body, ...this.#containers()]) this.#unblur(element);
  }

  /** Shows content that a wall has truncated, as far as it is in the document. */
  unfold(): void {
    for (const element of this.#containers()) {
      const isClamped = () => {
        const { overflowY, maxHeight, height } = getComputedStyle(element);
        const cut = element.scrollHeight > element.clientHeight + 60 && (overflowY === 'hidden' || overflowY === 'clip');
        return cut && (maxHeight !== 'none' || height !== 'auto');
      };
      this.#undo({
        element,
        holds: isClamped,
        properties: ['max-height', 'height', 'overflow', 'overflow-y'],
        otherwise: { 'max-height': 'none', height: 'auto', overflow: 'visible' },
      });
      this.#undo({
        element,
        holds: () => getComputedStyle(element).maskImage.includes('gradient'),
        properties: ['mask', 'mask-image', '-webkit-mask-image'],
        otherwise: { 'mask-image': 'none' },
      });
      this.#showRest(element);
    }
  }

  /** Empty elements that fade out truncated content. */
  veils(): readonly HTMLElement[] {
    return this.#containers()
      .flatMap((element) => [...Array.from(element.children), ...Array.from(element.parentElement?.children ?? [])])
      .filter((element): element is HTMLElement => element instanceof HTMLElement)
      .filter((element) => {
        const { position, backgroundImage } = getComputedStyle(element);
        return (
          position === 'absolute' &&
          backgroundImage.includes('gradient') &&
          this.#tree.text(element) === '' &&
          element.querySelector('img, video') === null
        );
      });
  }

  #unlockScroll(element: HTMLElement): void {
    const scrolls = (): boolean => !['hidden', 'clip'].includes(getComputedStyle(element).overflowY);
    if (!scrolls() && !this.#isOfItself(element)) {
      this.#undo({
        element,
        holds: () => !scrolls(),
        properties: ['overflow', 'overflow-x', 'overflow-y', 'height', 'max-height', 'padding-right', 'margin-right', 'touch-action'],
        otherwise: { overflow: 'visible' },
      });
    }
    const offset = -Number.parseFloat(element.style.top);
    const isFixed = () => getComputedStyle(element).position === 'fixed';
    if (!isFixed()) return;
    this.#undo({
      element,
      holds: isFixed,
      properties: ['position', 'top', 'left', 'right', 'bottom', 'width'],
      otherwise: { position: 'static' },
    });
    if (offset > 0) scrollTo({ left: 0, top: offset, behavior: 'instant' });
  }

  /** A page that is designed to fill the viewport has nothing to scroll to. */
  #isOfItself(element: HTMLElement): boolean {
    const { style, className } = element;
    return style.overflow === '' && style.overflowY === '' && !this.#telling.test(className) && element.scrollHeight <= innerHeight * 1.1;
  }

  #unblur(element: HTMLElement): void {
    this.#undo({
      element,
      holds: () => getComputedStyle(element).filter.includes('blur('),
      properties: ['filter', 'pointer-events', 'user-select', '-webkit-user-select'],
      otherwise: { filter: 'none' },
    });
  }

  /** Elements with a considerable part of the page's text. */
  #containers(): readonly HTMLElement[] {
    const blocks = Array.from(document.body.querySelectorAll<HTMLElement>('div, section, article, main, p, ul, figure'));
    return blocks.filter((element) => this.#textOf(element) >= 200 || element.matches('article, main'));
  }

  #textOf({ textContent }: Element): number {
    return textContent.length;
  }

  /** Shows hidden paragraphs that follow visible ones. */
  #showRest(element: HTMLElement): void {
    const parts = Array.from(element.children).filter((child): child is HTMLElement => child instanceof HTMLElement);
    const first = parts.findIndex((part) => part.localName === 'p' && this.#tree.isShown(part));
    if (first === -1 || element.matches('[role="dialog"]')) return;
    for (const part of parts.slice(first + 1)) {
      if (!part.matches('p, h2, h3, ul, ol, blockquote, figure') || part.textContent.trim().length < 40) continue;
      this.#undo({
        element: part,
        holds: () => getComputedStyle(part).display === 'none',
        properties: ['display'],
        otherwise: {},
      });
    }
  }

  /**
   * Removes properties, then classes, then attributes until the lock is inactive. Restores classes and attributes that made no difference.
   */
  #undo({ element, holds, properties, otherwise }: Lock): void {
    if (!holds()) return;
    for (const property of properties) element.style.removeProperty(property);
    if (element.getAttribute('style') === '') element.removeAttribute('style');
    if (!holds()) return;
    const names = Array.from(element.classList);
    const likely = [...names.filter((name) => this.#telling.test(name)), ...names.filter((name) => !this.#telling.test(name))];
    const gone: string[] = [];
    for (const name of likely) {
      element.classList.remove(name);
      if (!holds()) {
        element.classList.add(...gone);
        if (holds()) element.classList.remove(...gone);
        if (element.getAttribute('class') === '') element.removeAttribute('class');
        return;
      }
      gone.push(name);
    }
    element.classList.add(...gone);
    for (const name of element.getAttributeNames().filter((attribute) => attribute.startsWith('data-'))) {
      const value = element.getAttribute(name) ?? '';
      element.removeAttribute(name);
      if (!holds()) return;
      element.setAttribute(name, value);
    }
    for (const [property, value] of Object.entries(otherwise)) element.style.setProperty(property, value, 'important');
  }
}
