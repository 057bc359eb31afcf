import type { flowOf } from '@platen/lib-tree/sight';

/** A side of something, in CSS pixels of the window. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Part {
  readonly x: Span;
  readonly y: Span;
}

/** What a box does to what is in it. */
interface Holder {
  readonly position: string;
  /** Of what is absolute, and of what is fixed. */
  readonly holdsAbsolute: boolean;
  readonly holdsFixed: boolean;
  /** Undefined: lets everything out. */
  readonly cut: { readonly x: Cut | undefined; readonly y: Cut | undefined } | undefined;
}

/** Along one axis. */
interface Cut {
  readonly box: Span;
  /** All that can be scrolled into the box, where it lies now; undefined: none can by a person. */
  readonly area: Span | undefined;
  readonly shut: boolean;
}

/**
 * Runs in the page: closes over nothing. Whether one text or box can be seen or scrolled to, by the boxes that hold it (CSS Positioned
 * Layout 3, containing blocks): a box does not clip what is placed by one further out. The document must stay as it is meanwhile.
 */
export class NodeReach {
  readonly #flowOf: typeof flowOf;
  readonly #holders = new Map<Element, Holder>();
  readonly #texts = new Map<Text, boolean>();
  readonly #inside = new Map<Node, boolean>();
  readonly #replaced = new Set('img svg input select textarea iframe frame object hr math'.split(' '));

  constructor(flow: typeof flowOf) {
    this.#flowOf = flow;
  }

  /** Some text or picture in the element is where it can be seen, itself included; nothing is said of whether it is transparent. */
  holdsSeen(element: Element): boolean {
    const known = this.#inside.get(element);
    if (known !== undefined) return known;
    const holds =
      (this.#replaced.has(element.localName) && this.showsBox(element)) ||
      this.#children(element).some((child) => {
        if (this.#isText(child)) return this.showsText(child);
        return this.#isElement(child) && this.holdsSeen(child);
      });
    this.#inside.set(element, holds);
    return holds;
  }

  showsText(text: Text): boolean {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const parent = this.#above(text);
    if (parent === null) return false;
    // A word that an indent takes out of its box is no part that has its turn.
    const placed = Number.parseFloat(getComputedStyle(parent).textIndent) <= -999;
    const shown = /\S/.test(text.data) && this.#rectsOf(text).some((part) => this.#isReached(part, parent, { by: 'static', placed }));
    this.#texts.set(text, shown);
    return shown;
  }

  showsBox(element: Element): boolean {
    const parent = this.#above(element);
    if (parent === null) return true;
    const { position } = this.#holderOf(element);
    // What is placed by itself is clipped where it leaves a box; what flows may be shown by turns (a carousel).
    const placed = position === 'absolute' || position === 'fixed';
    return this.#partsOf(element.getClientRects()).some((part) => this.#isReached(part, parent, { by: position, placed }));
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

  /** From the box that it stands in outwards. */
  #isReached(part: Part, parent: Element, start: { readonly by: string; readonly placed: boolean }): boolean {
    let { x, y } = part;
    let { by, placed } = start;
    for (let at: Element | null = parent; at !== null; at = this.#above(at)) {
      const holder = this.#holderOf(at);
      if ((by === 'absolute' && !holder.holdsAbsolute) || (by === 'fixed' && !holder.holdsFixed)) continue;
      if (holder.cut !== undefined) {
        const left = this.#within(x, holder.cut.x, { placed });
        const up = this.#within(y, holder.cut.y, { placed });
        if (left === undefined || up === undefined) return false;
        [x, y] = [left, up];
      }
      by = holder.position;
      placed ||= by === 'absolute' || by === 'fixed';
    }
    return by === 'fixed' ? this.#isInWindow({ x, y }, parent.ownerDocument) : this.#isInDocument({ x, y }, parent.ownerDocument);
  }

  /** Where it shows once it is scrolled to; undefined: nowhere. */
  #within(span: Span, cut: Cut | undefined, { placed }: { readonly placed: boolean }): Span | undefined {
    if (cut === undefined) return span;
    const { box, area, shut } = cut;
    if (shut) return undefined;
    const overlaps = (other: Span) => span.to > other.from && span.from < other.to;
    if (overlaps(box)) return { from: Math.max(span.from, box.from), to: Math.min(span.to, box.to) };
    return (area === undefined ? !placed : overlaps(area)) ? box : undefined;
  }

  #isInWindow({ x, y }: Part, { defaultView: view }: Document): boolean {
    return view === null || (x.to > 0 && y.to > 0 && x.from < view.innerWidth && y.from < view.innerHeight);
  }

  #isInDocument({ x, y }: Part, { defaultView: view, documentElement: root }: Document): boolean {
    if (view === null) return true;
    const rtl = view.getComputedStyle(root).direction === 'rtl';
    const beside = rtl ? x.from + view.scrollX >= root.clientWidth : x.to + view.scrollX <= 0;
    return !beside && y.to + view.scrollY > 0;
  }

  #holderOf(element: Element): Holder {
    const known = this.#holders.get(element);
    if (known !== undefined) return known;
    const style = getComputedStyle(element);
    const { position, transform, translate, rotate, scale, perspective, filter, willChange, contain } = style;
    const boxed = style.display !== 'contents' && style.display !== 'inline';
    const holdsFixed =
      boxed &&
      ([transform, translate, rotate, scale, perspective, filter, style.getPropertyValue('backdrop-filter')].some(
        (value) => value !== 'none' && value !== '',
      ) ||
        /transform|translate|rotate|scale|perspective|filter/.test(willChange) ||
        /layout|paint|strict|content/.test(contain) ||
        style.contentVisibility === 'auto');
    const holder = {
      position,
      holdsFixed,
      holdsAbsolute: holdsFixed || (position !== 'static' && style.display !== 'contents'),
      cut: boxed ? this.#cutOf(element, style) : undefined,
    };
    this.#holders.set(element, holder);
    return holder;
  }

  #cutOf(element: Element, style: CSSStyleDeclaration): Holder['cut'] {
    const { overflowX, overflowY } = style;
    if ((overflowX === 'visible' && overflowY === 'visible') || this.#isWindows(element)) return undefined;
    const bounds = element.getBoundingClientRect();
    const body = element.localName === 'body';
    const flow = this.#flowOf(style);
    const { clientWidth, clientHeight, scrollWidth, scrollHeight, scrollLeft, scrollTop } = element;
    const cutTo = (
      overflow: string,
      box: Span,
      { client, scroll, at, back }: Record<'client' | 'scroll' | 'at', number> & { back: boolean },
    ) => {
      if (overflow === 'visible') return undefined;
      const zoom = client > 0 ? (box.to - box.from) / client : 1;
      const start = back ? box.to - (scroll + at) * zoom : box.from - at * zoom;
      const area = overflow === 'auto' || overflow === 'scroll' ? { from: start, to: start + scroll * zoom } : undefined;
      return { box, area, shut: client <= 1 && !body };
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

  /** Its overflow is the window's (CSS Overflow 3, propagation to the viewport). */
  #isWindows(element: Element): boolean {
    const { documentElement: root } = element.ownerDocument;
    if (element === root) return true;
    if (element.localName !== 'body' || element.parentElement !== root) return false;
    const { overflowX, overflowY } = getComputedStyle(root);
    return overflowX === 'visible' && overflowY === 'visible';
  }

  #above(node: Element | Text): Element | null {
    const { assignedSlot } = node;
    if (typeof assignedSlot === 'object' && assignedSlot !== null) return assignedSlot;
    const parent: Node | null = Reflect.get(Node.prototype, 'parentNode', node);
    if (parent === null || this.#isElement(parent)) return parent;
    return this.#isShadow(parent) ? parent.host : null;
  }

  #children(element: Element): readonly Node[] {
    if (this.#isSlot(element)) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    const { shadowRoot } = element;
    return Array.from(Reflect.get(Node.prototype, 'childNodes', shadowRoot ?? element));
  }

  /** By their types: they may be of another window, whose classes are others. A form may have a field of any name. */
  #isElement(node: Node): node is Element {
    return node.nodeType === 1 || typeof node.nodeType !== 'number';
  }

  #isText(node: Node): node is Text {
    return node.nodeType === 3;
  }

  #isShadow(node: Node): node is ShadowRoot {
    return node.nodeType === 11 && 'host' in node;
  }

  #isSlot(element: Element): element is HTMLSlotElement {
    return element.localName === 'slot' && 'assignedNodes' in element;
  }
}
