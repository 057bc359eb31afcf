import type { FlatTree } from '@platen/lib-page-functions';

/**
 * The elements of the top layer: modal dialogs, open popovers, fullscreen elements.
 * Ancestors that contain, fade or clip have no effect on them (CSS Positioned Layout 4, top layer).
 */
export class TopLayer {
  readonly #tree: FlatTree;
  /** A forgiving selector list, because a browser may not know every pseudo-class. */
  readonly #selector = ':is(:modal, :popover-open, :fullscreen)';
  readonly #ancestors = new Map<Document, ReadonlySet<Element>>();

  constructor(tree: FlatTree) {
    this.#tree = tree;
  }

  has(element: Element): boolean {
    return Element.prototype.matches.call(element, this.#selector);
  }

  /** An element of the top layer is in the element, in the flat tree. */
  isIn(element: Element): boolean {
    const document = element.ownerDocument;
    const known = this.#ancestors.get(document);
    if (known !== undefined) return known.has(element);
    const ancestors = new Set<Element>();
    for (const root of this.#tree.trees(document.documentElement)) {
      for (const top of root.querySelectorAll(this.#selector)) this.#tree.ancestors(top).forEach((above) => ancestors.add(above));
    }
    this.#ancestors.set(document, ancestors);
    return ancestors.has(element);
  }
}
