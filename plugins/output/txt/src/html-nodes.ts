/** The nodes of htmlparser2's tree, reduced to the members that are read here. */
export interface TextNode {
  readonly type: 'text';
  readonly data: string;
}

export interface ElementNode {
  readonly type: string;
  readonly name: string;
  readonly attribs: Readonly<Record<string, string | undefined>>;
  readonly childNodes: readonly HtmlNode[];
}

export type HtmlNode = TextNode | ElementNode | { readonly type: string };

export function isText(node: HtmlNode): node is TextNode {
  return node.type === 'text';
}

export function isElement(node: HtmlNode): node is ElementNode {
  return 'name' in node && 'childNodes' in node;
}

/** All its text unchanged; a line break for `br`. */
export function textOf(element: ElementNode): string {
  return element.childNodes
    .map((node) => (isText(node) ? node.data : isElement(node) ? (node.name === 'br' ? '\n' : textOf(node)) : ''))
    .join('');
}

export function childElements({ childNodes }: ElementNode, ...names: readonly string[]): readonly ElementNode[] {
  return childNodes.filter(isElement).filter(({ name }) => names.includes(name));
}
