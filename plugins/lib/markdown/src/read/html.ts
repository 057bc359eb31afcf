import { defaultTreeAdapter, type DefaultTreeAdapterTypes, html as standard, parse } from 'parse5';
import { parseRegular } from './regular-html.js';

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;
type Text = DefaultTreeAdapterTypes.TextNode;

/** Elements that begin a separate block; all others are inline unless they contain a block. The capture writes no others. */
const BLOCKS = new Set(
  `address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr legend li
  main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
);

/** The body of a document with this content. */
export function parseBody(html: string): Element {
  return parseRegular(html) ?? parseAny(html);
}

/** By all rules of the HTML standard. */
export function parseAny(html: string): Element {
  const document = parse(`<!doctype html><body>${html}`);
  const root = document.childNodes.find(isElement);
  const body = root === undefined ? undefined : childElements(root, 'body')[0];
  if (body === undefined) throw new Error('a document without a body');
  return body;
}

export function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

export function isText(node: Node): node is Text {
  return node.nodeName === '#text';
}

export function isNamed(node: Node | null | undefined, ...names: readonly string[]): node is Element {
  return node !== null && node !== undefined && isElement(node) && names.includes(node.tagName);
}

/** The same, for a rule. */
export function named(...names: readonly string[]): (element: Element) => boolean {
  return ({ tagName }) => names.includes(tagName);
}

export function parentOf({ parentNode }: Element): Element | undefined {
  return parentNode !== null && 'tagName' in parentNode ? parentNode : undefined;
}

export function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attr) => attr.name === name)?.value;
}

export function childElements({ childNodes }: Element, ...names: readonly string[]): readonly Element[] {
  return childNodes.filter(isElement).filter(({ tagName }) => names.includes(tagName));
}

/** The descendants with one of these names, in document order. */
export function findAll(element: Element, ...names: readonly string[]): readonly Element[] {
  const found: Element[] = [];
  for (const child of descendants(element.childNodes)) if (names.includes(child.tagName)) found.push(child);
  return found;
}

export function textOf(node: Node): string {
  if (isText(node)) return node.value;
  return isElement(node) ? node.childNodes.map(textOf).join('') : '';
}

/** A new element with these children, which keep their own parent. */
export function elementAround(name: string, childNodes: readonly Node[]): Element {
  return { ...defaultTreeAdapter.createElement(name, standard.NS.HTML, []), childNodes: [...childNodes] };
}

/** Every element that is a block or contains one. */
export function findBlocks(root: Element): ReadonlySet<Element> {
  const blocks = new Set<Element>();
  for (const element of descendants(root.childNodes)) {
    if (!BLOCKS.has(element.tagName)) continue;
    for (let up: Element | undefined = element; up !== undefined && up !== root && !blocks.has(up); up = parentOf(up)) blocks.add(up);
  }
  return blocks;
}

/** Not recursive, because a document may be nested deeper than the stack allows. */
function* descendants(nodes: readonly Node[]): Generator<Element> {
  const pending = nodes.filter(isElement).reverse();
  for (let element = pending.pop(); element !== undefined; element = pending.pop()) {
    yield element;
    for (let at = element.childNodes.length - 1; at >= 0; at -= 1) {
      const child = element.childNodes[at];
      if (child !== undefined && isElement(child)) pending.push(child);
    }
  }
}
