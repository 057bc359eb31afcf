/**
 * Functions and classes for code that runs in pages: `FlatTree` reads documents with open shadow trees, `withFlatTree` builds one function
 * from an entry that uses only a `FlatTree`, `nextFrame` waits for a frame also in hidden pages. Code that shares more is in `in-page/` of
 * its package and imports from here (CONTRIBUTING.md, code that runs in pages).
 *
 * @packageDocumentation
 */

/**
 * Runs in the page; must not capture outer variables. The flat tree (CSS Scoping 1, flattening): shadow trees replace their hosts'
 * children, and assigned nodes replace slots. Closed shadow trees cannot be read.
 *
 * Nodes are read through prototypes, because a form's fields may be named `parentNode`, and identified by node type, because a node may
 * belong to another window with other classes.
 */
export class FlatTree {
  // The getters are looked up once, because large documents are read with them.
  readonly #firstChild = this.#getter('firstChild');
  readonly #nextSibling = this.#getter('nextSibling');
  readonly #parentElement = this.#getter('parentElement');
  readonly #parentNode = this.#getter('parentNode');

  above(node: Node & { readonly assignedSlot?: unknown }): Element | null {
    const { assignedSlot } = node;
    // A form may have a field of that name.
    if (this.#isNode(assignedSlot) && this.isElement(assignedSlot) && assignedSlot.localName === 'slot') return assignedSlot;
    const element = this.#parentElement.call(node);
    if (element !== null) return element;
    const parent = this.#parentNode.call(node);
    return parent !== null && this.#isShadow(parent) ? parent.host : null;
  }

  /** From the parent outwards. */
  ancestors(node: Node): readonly Element[] {
    const list: Element[] = [];
    for (let at = this.above(node); at !== null; at = this.above(at)) list.push(at);
    return list;
  }

  /** In display order. */
  children(element: Element): readonly Node[] {
    const { shadowRoot } = element;
    if (shadowRoot !== null && this.#isShadow(shadowRoot)) return this.childNodes(shadowRoot);
    const assigned = this.#isSlot(element) ? element.assignedNodes() : [];
    return assigned.length > 0 ? assigned : this.childNodes(element);
  }

  /** Without regard to shadow trees and slots. */
  childNodes(parent: Node): readonly Node[] {
    const list: Node[] = [];
    for (let child = this.#firstChild.call(parent); child !== null; child = this.#nextSibling.call(child)) list.push(child);
    return list;
  }

  /** All elements below a node, each host before its shadow tree, and that before the host's children. */
  elements(root: ParentNode): readonly Element[] {
    return Array.from(root.querySelectorAll('*')).flatMap((element) => {
      const { shadowRoot } = element;
      return shadowRoot !== null && this.#isShadow(shadowRoot) ? [element, ...this.elements(shadowRoot)] : element;
    });
  }

  /** The tree itself and the shadow trees in it, outer trees first. */
  trees<T extends ParentNode>(root: T): readonly (T | ShadowRoot)[] {
    const shadows = Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot);
    const open = shadows.filter((shadow) => shadow !== null && this.#isShadow(shadow));
    return [root, ...open.flatMap((shadow) => this.trees(shadow))];
  }

  isElement(node: Node): node is Element {
    const { nodeType } = node;
    return nodeType === 1 || typeof nodeType !== 'number';
  }

  /** A text node or a CDATA section. */
  isText(node: Node): node is Text {
    const { nodeType } = node;
    return nodeType === 3 || nodeType === 4;
  }

  #getter<K extends 'firstChild' | 'nextSibling' | 'parentElement' | 'parentNode'>(name: K): (this: Node) => Node[K] {
    const { get } = Object.getOwnPropertyDescriptor(Node.prototype, name) ?? {};
    if (get === undefined) throw new Error('there is no tree to be read');
    return get;
  }

  #isNode(value: unknown): value is Node {
    return typeof value === 'object' && value !== null && 'nodeType' in value;
  }

  /** A form may have a field named `shadowRoot`. */
  #isShadow(node: Node): node is ShadowRoot {
    return node.nodeType === 11 && 'host' in node;
  }

  #isSlot(element: Element): element is HTMLSlotElement {
    return element.localName === 'slot' && 'assignedNodes' in element;
  }
}

/**
 * A function for `page.evaluate` that reads the flat tree, which is the first argument of `fn`. `fn` must not capture outer variables: the
 * page receives its source text and that of `FlatTree`.
 */
export function withFlatTree<A extends readonly unknown[], R>(fn: (tree: FlatTree, ...args: A) => R): (...args: A) => R {
  const source = `function (...args) { return (${String(fn)})(new (${String(FlatTree)})(), ...args); }`;
  const call = (...args: A): R => fn(new FlatTree(), ...args);
  return Object.assign(call, { toString: () => source });
}

/** Runs in the page; must not capture outer variables. Resolves at the next frame, or after 500 ms in a hidden page, which has none. */
export function nextFrame(): Promise<unknown> {
  return Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
}

/** Runs in the page; must not capture outer variables. The index of the first selector that is not valid; -1 if all are. */
export function findInvalidSelector(selectors: readonly string[]): number {
  const fragment = document.createDocumentFragment();
  return selectors.findIndex((selector) => {
    try {
      fragment.querySelector(selector);
      return false;
    } catch {
      return true;
    }
  });
}

/** The credentials of an http or https URL, from `//` to `@`; `//` if it has none. Relative URLs inherit them from their base. */
export function userinfoOf(url: string): string {
  const [userinfo = '//'] = /(?<=^https?:)\/\/[^/?#]*@/.exec(url) ?? [];
  return userinfo;
}
