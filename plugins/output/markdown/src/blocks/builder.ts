import { childrenOf, elementsIn, hasBlockName, isElement } from './elements.js';

/** State shared by the restructuring of one document. */
export interface Builder {
  readonly gfm: boolean;
  make(name: string, children?: readonly Node[], attributes?: Readonly<Record<string, string>>): Element;
  text(value: string): Text;
  /** The element is a block or contains one. */
  isBlock(element: Element): boolean;
}

export interface BuilderOptions {
  readonly gfm: boolean;
}

export function createBuilder(document: Document, root: Element, { gfm }: BuilderOptions): Builder {
  const blocks = findBlocks(root);
  return {
    gfm,
    make(name, children = [], attributes = {}) {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      for (const child of children) element.appendChild(child);
      return element;
    },
    text: (value) => document.createTextNode(value),
    isBlock: (element) => blocks.has(element) || hasBlockName(element),
  };
}

/** Every element that is a block or contains one. Not recursive, because a document may be nested deeper than the stack allows. */
function findBlocks(root: Element): ReadonlySet<Element> {
  const blocks = new Set<Element>();
  const pending: Element[] = [...elementsIn(root)];
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    if (hasBlockName(element)) {
      for (let up: Element | null = element; up !== null && up !== root && !blocks.has(up); up = up.parentElement) blocks.add(up);
    }
    for (const child of childrenOf(element)) if (isElement(child)) pending.push(child);
  }
  return blocks;
}

/** Converts children to blocks. */
export type BlockReader = (parent: Node, depth: number) => readonly Element[];
