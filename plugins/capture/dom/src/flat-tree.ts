/**
 * Runs in the page; must not capture outer variables. The flat tree: shadow trees replace their hosts' children, and assigned nodes
 * replace slots.
 */
export class FlatTree {
  above(node: Node & { readonly assignedSlot?: unknown }): Element | null {
    const { assignedSlot } = node;
    // A form may have a field of that name.
    if (this.isNode(assignedSlot) && this.isElement(assignedSlot) && assignedSlot.localName === 'slot') return assignedSlot;
    const parent: Node | null = Reflect.get(Node.prototype, 'parentNode', node);
    if (parent === null || this.isElement(parent)) return parent;
    return this.#isShadow(parent) ? parent.host : null;
  }

  children(element: Element): readonly Node[] {
    if (this.#isSlot(element)) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    const { shadowRoot } = element;
    return Array.from(
      Reflect.get(Node.prototype, 'childNodes', this.isNode(shadowRoot) && this.#isShadow(shadowRoot) ? shadowRoot : element),
    );
  }

  /** By node type: a node may belong to another window with other classes. A form may have a field of any name. */
  isElement(node: Node): node is Element {
    return node.nodeType === 1 || typeof node.nodeType !== 'number';
  }

  isText(node: Node): node is Text {
    return node.nodeType === 3;
  }

  isNode(value: unknown): value is Node {
    return typeof value === 'object' && value !== null && 'nodeType' in value;
  }

  #isShadow(node: Node): node is ShadowRoot {
    return node.nodeType === 11 && 'host' in node;
  }

  #isSlot(element: Element): element is HTMLSlotElement {
    return element.localName === 'slot' && 'assignedNodes' in element;
  }
}
