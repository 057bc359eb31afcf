import { type FlatTree, userinfoOf } from '@platen/lib-page-functions';
import type { NodeClipping } from './node-clipping.js';
import type { TextVisibility } from './text-visibility.js';

/** How a computed style treats white space and line breaks of a text. */
export type Spacing = 'collapse' | 'preserve' | 'lines';

/** The parts of an element's style that matter to a reader. */
export interface Look {
  /** It has a box, or `display: contents`. */
  readonly rendered: boolean;
  /** Its own text is visible. Descendants may be visible although it is not, and vice versa. */
  readonly visible: boolean;
  /** Neither its text nor its descendants are shown. */
  readonly closed: boolean;
  /** It has a box, and neither the box nor its content is visible: transparent, clipped away, off the screen. */
  readonly unseen: boolean;
  /** Some of its content is visible, and some may not be. Check each text by itself (`showsText`, `showsBox`). */
  readonly partial: boolean;
  /** Its own text can be read; descendants have a size of their own. */
  readonly legible: boolean;
  /** Begins and ends a line. */
  readonly block: boolean;
  readonly spacing: Spacing;
  /** Taken out of its line, although it is not a block by its name. */
  readonly apart: boolean;
}

/**
 * Reads the elements of the flat tree, names and attributes through prototypes, because
 * a form's fields may be named `localName`.
 */
export class NodeReader {
  readonly tree: FlatTree;
  readonly #textVisibility: TextVisibility;
  readonly #clipping: NodeClipping;
  /** URLs by their unresolved text, because a link is read more than once. */
  readonly #resolved = new Map<string, string | null>();
  readonly #words = new Set('span a small sup sub b i em strong label'.split(' '));

  constructor(tree: FlatTree, textVisibility: TextVisibility, clipping: NodeClipping) {
    this.tree = tree;
    this.#textVisibility = textVisibility;
    this.#clipping = clipping;
  }

  /** It is at a place that can be seen or scrolled to. */
  showsText(text: Text): boolean {
    return this.#clipping.showsText(text);
  }

  /** As `showsText`, of an element without text. */
  showsBox(element: Element): boolean {
    return this.#clipping.showsBox(element) || (this.#isPainted(element) && this.showsBeside(element));
  }

  /** The visible replacement of the element is near it, where both belong to one label or formula. */
  showsBeside(element: Element): boolean {
    const { parentElement: parent } = element;
    if (this.#clipping.holdsSeen(element)) return true;
    if (parent === null) return false;
    if (this.#clipping.holdsSeen(parent)) return true;
    const { parentElement: line } = parent;
    return line !== null && this.#words.has(this.name(parent)) && this.#clipping.holdsSeen(line);
  }

  /** A part of a drawing is in the drawing's viewport. */
  isInDrawing(element: Element): boolean {
    return this.#clipping.isInDrawing(element);
  }

  /** The drawn words of a `text`: each of its parts is checked by itself. */
  drawnWords(text: Element): string {
    const style = getComputedStyle(text);
    if (style.display === 'none' || /^(title|desc|metadata|script|style)$/.test(this.name(text))) return '';
    const visible = this.#textVisibility.isVisible(text, style);
    const words = this.tree.childNodes(text).map((node) => {
      if (this.tree.isText(node)) return visible ? (node.nodeValue ?? '') : '';
      return this.tree.isElement(node) ? this.drawnWords(node) : '';
    });
    return words.join('');
  }

  /** In the top layer: its ancestors hide nothing of it. */
  isOnTop(element: Element): boolean {
    return this.#clipping.isOnTop(element);
  }

  /** A form returns its named fields, so its prototype is read instead. Every other element is read directly, which is faster. */
  name(element: Element): string {
    const { localName } = element;
    return typeof localName === 'string' ? localName : 'form';
  }

  attribute(element: Element, name: string): string | null {
    return Element.prototype.getAttribute.call(element, name);
  }

  attributeNames(element: Element): readonly string[] {
    return Element.prototype.getAttributeNames.call(element);
  }

  isHtml(element: Element): boolean {
    return element.namespaceURI === 'http://www.w3.org/1999/xhtml' || this.name(element) === 'form';
  }

  isMath(element: Element): boolean {
    return element.namespaceURI === 'http://www.w3.org/1998/Math/MathML';
  }

  /** In the document without its shadow trees; throws for an invalid selector. */
  findAll(selector: string): readonly Element[] {
    const root = Reflect.get(Document.prototype, 'documentElement', document);
    const below = Array.from(root.querySelectorAll(selector));
    return root.matches(selector) ? [root, ...below] : below;
  }

  innerText(element: Element): string {
    return Reflect.get(HTMLElement.prototype, 'innerText', element);
  }

  look(element: Element): Look {
    const style = getComputedStyle(element);
    const { display } = style;
    const blank = display.indexOf(' ');
    const outer = blank < 0 ? display : display.slice(0, blank);
    const inline = outer.startsWith('inline') || outer.startsWith('ruby') || outer === 'contents' || outer === 'math';
    // An element taken out of a line becomes a block: a drop cap, or words for screen readers.
    const word = !inline && this.#words.has(this.name(element));
    const apart = word && (style.position === 'absolute' || style.position === 'fixed');
    const initial = word && style.cssFloat !== 'none' && element.textContent.trim().length <= 2;
    // Empty: not in the flat tree, such as children of a shadow host without a slot.
    const rendered = outer !== 'none' && outer !== '';
    const { whiteSpaceCollapse } = style;
    const part = rendered ? this.#textVisibility.check(element, style, display) : 'whole';
    const replaces = part !== 'whole' && this.#replacesRendering(element);
    return {
      rendered,
      visible: this.#textVisibility.isVisible(element, style),
      closed: style.contentVisibility === 'hidden',
      unseen: part === 'nothing' && !replaces,
      partial: part === 'parts' && !replaces,
      legible: this.#textVisibility.isLegible(element, style),
      block: !inline && !apart && !initial,
      spacing: whiteSpaceCollapse === 'collapse' ? 'collapse' : whiteSpaceCollapse === 'preserve-breaks' ? 'lines' : 'preserve',
      apart,
    };
  }

  /** A control that is drawn by styles instead, or a formula that is: they are read in place of their rendering. */
  #replacesRendering(element: Element): boolean {
    if (this.#isPainted(element)) return true;
    if (this.isMath(element)) return true;
    const math = element.querySelector('math');
    return math !== null && math.textContent.trim() === element.textContent.trim();
  }

  /** Pages hide the browser's own check boxes and radio buttons and paint theirs. */
  #isPainted(element: Element): boolean {
    return this.name(element) === 'input' && /^(checkbox|radio)$/i.test(this.attribute(element, 'type') ?? '');
  }

  /** Text alignment of a cell. */
  align(element: Element): string {
    return getComputedStyle(element).textAlign;
  }

  /** The numbering of a list's items, as a value of the attribute `type`; empty for any other numbering. */
  numerals(element: Element): string {
    const types: Readonly<Record<string, string>> = {
      decimal: '1',
      'lower-alpha': 'a',
      'lower-latin': 'a',
      'upper-alpha': 'A',
      'upper-latin': 'A',
      'lower-roman': 'i',
      'upper-roman': 'I',
    };
    return types[getComputedStyle(element).listStyleType] ?? '';
  }

  /** Whether its content is laid out: not the fallback of an `object` into which something was loaded, nor white space between items. */
  hasBoxes(node: Element | Text): boolean {
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    return range.getClientRects().length > 0;
  }

  /** In a font of one width, with all white space, as code is. */
  isTyped(element: Element): boolean {
    const { fontFamily, whiteSpaceCollapse } = getComputedStyle(element);
    return /mono|consolas|courier|menlo/i.test(fontFamily) && /preserve$|break-spaces/.test(whiteSpaceCollapse);
  }

  /** It cannot be selected in a part of the page that can. */
  isUnselectable(element: Element): boolean {
    const parent = this.tree.above(element);
    return getComputedStyle(element).userSelect === 'none' && parent !== null && getComputedStyle(parent).userSelect !== 'none';
  }

  isOutOfFlow(element: Element): boolean {
    const { position, cssFloat } = getComputedStyle(element);
    return position === 'absolute' || position === 'fixed' || cssFloat !== 'none';
  }

  /** Against the URL of its document, without that URL's user and password; null for an invalid URL. */
  resolve(element: Element, address: string): string | null {
    const base = Reflect.get(Node.prototype, 'baseURI', element);
    // The line break is a safe separator, because the URL standard removes line breaks from parsed URLs.
    const key = `${base}\n${address}`;
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const resolved = this.#resolveFrom(base, address);
    this.#resolved.set(key, resolved);
    return resolved;
  }

  #resolveFrom(base: string, address: string): string | null {
    try {
      return new URL(address, base).href.replace(userinfoOf(base), '//');
    } catch {
      return null;
    }
  }
}
