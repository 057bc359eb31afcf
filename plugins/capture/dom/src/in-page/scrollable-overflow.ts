import { flowOf } from '@platen/lib-accessibility-tree/visibility';

/** A side of something, in CSS pixels of the window. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Part {
  readonly x: Span;
  readonly y: Span;
}

interface Edges {
  readonly scrollX: number;
  readonly scrollY: number;
  /** Of the window, and of the part of the document that it shows (without scroll bars). */
  readonly inner: { readonly width: number; readonly height: number };
  readonly client: { readonly width: number; readonly height: number };
  /** The document extends to the left, or upwards, instead of to the right and downwards. */
  readonly flow: { readonly left: boolean; readonly up: boolean };
  /** A person cannot scroll it sideways. */
  readonly locked: boolean;
  /** Whose overflow is the window's: the root's or the body's. */
  readonly owner: Element;
}

/**
 * The scrollable part of a document. Nothing before the start of its lines can be
 * scrolled to. The document must not change meanwhile.
 */
export class ScrollableOverflow {
  readonly #phone: Document | null;
  readonly #known = new Map<Document, Edges | null>();

  /** `phone`: the document that a phone scales down until all of its width is visible, whether it scrolls or not. */
  constructor(phone: Document | null) {
    this.#phone = phone;
  }

  isInWindow({ x, y }: Part, document: Document): boolean {
    const edges = this.#of(document);
    return edges === null || (x.to > 0 && y.to > 0 && x.from < edges.inner.width && y.from < edges.inner.height);
  }

  /**
   * `placed`: a positioned element beside a window that cannot be scrolled there does not come into view later, as content in the flow
   * may.
   */
  isInDocument({ x, y }: Part, document: Document, { placed }: { readonly placed: boolean }): boolean {
    const edges = this.#of(document);
    if (edges === null) return true;
    const { scrollX, scrollY, flow, client, locked } = edges;
    if (flow.left ? x.from + scrollX >= client.width : x.to + scrollX <= 0) return false;
    if (flow.up ? y.from + scrollY >= client.height : y.to + scrollY <= 0) return false;
    return !placed || !locked || (x.to > 0 && x.from < client.width);
  }

  /** Its overflow applies to the window (CSS Overflow 3, propagation to the viewport). */
  isWindows(element: Element): boolean {
    return element === element.ownerDocument.documentElement || this.#of(element.ownerDocument)?.owner === element;
  }

  #of(document: Document): Edges | null {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    const edges = this.#measure(document);
    this.#known.set(document, edges);
    return edges;
  }

  #measure(document: Document): Edges | null {
    const { defaultView: view, documentElement: root, compatMode } = document;
    if (view === null) return null;
    // Not `body`: a document's named elements may hide it.
    const body = Reflect.get(Document.prototype, 'body', document) as Element | null;
    const principal = body !== null && this.#hands(root) && this.#hands(body) ? body : root;
    const { writingMode, direction } = getComputedStyle(principal);
    // Items in reverse order do not change how the window scrolls.
    const lines = { writingMode, direction, display: 'block', flexDirection: 'row', flexWrap: 'nowrap' };
    const own = getComputedStyle(root);
    const owner = own.overflowX === 'visible' && own.overflowY === 'visible' ? principal : root;
    const client = compatMode === 'BackCompat' && body !== null ? body : root;
    return {
      scrollX: view.scrollX,
      scrollY: view.scrollY,
      inner: { width: view.innerWidth, height: view.innerHeight },
      client: { width: client.clientWidth, height: client.clientHeight },
      flow: flowOf(lines),
      locked: document !== this.#phone && /hidden|clip/.test(getComputedStyle(owner).overflowX),
      owner,
    };
  }

  /** CSS Writing Modes 4, principal flow: the body's flow applies to the document unless either is contained. */
  #hands(element: Element): boolean {
    const { display, contain, contentVisibility, containerType } = getComputedStyle(element);
    return (
      display !== 'contents' && display !== 'none' && contain === 'none' && contentVisibility === 'visible' && containerType === 'normal'
    );
  }
}
