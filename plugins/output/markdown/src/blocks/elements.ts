/** Elements that begin a separate block; all others are inline unless they contain a block. */
const BLOCKS = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CENTER DD DETAILS DIALOG DIR DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM FRAMESET
  H1 H2 H3 H4 H5 H6 HEADER HGROUP HR HTML LEGEND LI LISTING MAIN MENU NAV NOFRAMES OL OPTGROUP P PLAINTEXT PRE SEARCH SECTION SUMMARY
  TABLE TBODY TD TFOOT TH THEAD TR CAPTION UL XMP`.split(/\s+/),
);

/** Elements that are not read: the capture omits them already, other callers may not. */
const UNREAD = new Set(
  `BASE COL COLGROUP DATALIST HEAD LINK META NOSCRIPT OBJECT PARAM RP SCRIPT SOURCE STYLE SVG TEMPLATE TITLE TRACK`.split(/\s+/),
);

const HEADING = /^H[1-6]$/;

const ELEMENT = 1;
const TEXT = 3;

export function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

export function isText(node: Node): node is Text {
  return node.nodeType === TEXT;
}

const LOWER_A = 97;

/** In upper case also for SVG and MathML. */
export function nameOf(element: Element): string {
  const { nodeName } = element;
  return nodeName.charCodeAt(0) < LOWER_A ? nodeName : nodeName.toUpperCase();
}

/** An element with a known name; other objects may still be elements. */
export interface NamedElement extends Element {
  readonly tagName: Uppercase<string>;
}

export function isNamed(node: Node | null | undefined, ...names: readonly string[]): node is NamedElement {
  return node !== null && node !== undefined && isElement(node) && names.includes(nameOf(node));
}

export function isHeading(element: Element): boolean {
  return HEADING.test(nameOf(element));
}

export function isUnread(element: Element): boolean {
  return UNREAD.has(nameOf(element));
}

export function hasBlockName(element: Element): boolean {
  return BLOCKS.has(nameOf(element));
}

/** A copy of the children, unaffected by later changes. */
export function childrenOf(parent: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

export function elementsIn(parent: Node): readonly Element[] {
  return childrenOf(parent).filter(isElement);
}

export function textOf(node: Node): string {
  return node.textContent ?? '';
}

/** Whether any part is visible. A no-break space is not. */
export function hasContent(node: Node): boolean {
  if (isText(node)) return /\S/.test(node.data);
  if (!isElement(node) || isUnread(node)) return false;
  if (isNamed(node, 'IMG', 'MATH', 'INPUT', 'AUDIO', 'VIDEO', 'HR')) return true;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (hasContent(child)) return true;
  }
  return false;
}

/** The descendants with one of these names, in document order; all descendants without names. */
export function findAll(root: Element, ...names: readonly string[]): readonly Element[] {
  const found: Element[] = [];
  let at: Node | null = root.firstChild;
  while (at !== null) {
    if (isElement(at) && (names.length === 0 || names.includes(nameOf(at)))) found.push(at);
    at = at.firstChild ?? nextOutside(at, root);
  }
  return found;
}

function nextOutside(node: Node, root: Element): Node | null {
  for (let up: Node | null = node; up !== null && up !== root; up = up.parentNode) {
    if (up.nextSibling !== null) return up.nextSibling;
  }
  return null;
}
