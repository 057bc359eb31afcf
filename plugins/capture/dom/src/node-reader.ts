import type { NodeClipping } from './node-clipping.js';
import type { TextVisibility } from './text-visibility.js';

/** How a computed style treats white space and line breaks of a text. */
export type Spacing = 'collapse' | 'preserve' | 'lines';

/** What of an element's style matters to a reader. */
export interface Look {
  /** It has a box, or stands aside for its children. */
  readonly rendered: boolean;
  /** Its own text is seen; descendants may be seen although it is not, and the other way round. */
  readonly visible: boolean;
  /** Neither its text nor its descendants are shown. */
  readonly closed: boolean;
  /** It has a box, and neither that nor what is in it can be seen: transparent, clipped away, off the screen. */
  readonly unseen: boolean;
  /** Some of what is in it is seen, and some may not be: each text is to be asked about by itself (`showsText`, `showsBox`). */
  readonly judged: boolean;
  /** Text of its own can be read; descendants have a size of their own. */
  readonly legible: boolean;
  /** Begins and ends a line. */
  readonly block: boolean;
  readonly spacing: Spacing;
  /** Out of the line that it is written in, though no block by its name. */
  readonly apart: boolean;
}

/**
 * Runs in the page; must not capture outer variables. Reads the tree as it is shown: shadow trees in place of their hosts' children, what is put
 * into slots in place of the slots. Names are read by prototypes: a form's fields may be named `parentNode`.
 */
export class NodeReader {
  readonly #sight: TextVisibility;
  readonly #reach: NodeClipping;
  /** By its prototype, whose getter is found once. */
  readonly #nextSibling = this.#getter('nextSibling');
  readonly #firstChild = this.#getter('firstChild');
  /** Addresses by what they are resolved from: a link is asked about more than once. */
  readonly #resolved = new Map<string, string | null>();
  readonly #words = new Set('span a small sup sub b i em strong label'.split(' '));

  constructor(sight: TextVisibility, reach: NodeClipping) {
    this.#sight = sight;
    this.#reach = reach;
  }

  /** Where it stands, it can be seen or scrolled to. */
  showsText(text: Text): boolean {
    return this.#reach.showsText(text);
  }

  /** As `showsText`, of an element without text. */
  showsBox(element: Element): boolean {
    return this.#reach.showsBox(element) || (this.#isPainted(element) && this.showsBeside(element));
  }

  /** What is seen in the element's place is: near it, where both belong to one label or formula. */
  showsBeside(element: Element): boolean {
    const { parentElement: parent } = element;
    if (this.#reach.holdsSeen(element)) return true;
    if (parent === null) return false;
    if (this.#reach.holdsSeen(parent)) return true;
    const { parentElement: line } = parent;
    return line !== null && this.#words.has(this.name(parent)) && this.#reach.holdsSeen(line);
  }

  /** A part of a drawing stands in its window. */
  isInDrawing(element: Element): boolean {
    return this.#reach.isInDrawing(element);
  }

  /** What is drawn of the words of a `text`: each of its parts says so by itself. */
  drawnWords(text: Element): string {
    const style = getComputedStyle(text);
    if (style.display === 'none' || /^(title|desc|metadata|script|style)$/.test(this.name(text))) return '';
    const visible = this.#sight.isVisible(text, style);
    const words = this.#list(text).map((node) => {
      if (this.isText(node)) return visible ? (node.nodeValue ?? '') : '';
      return this.isElement(node) ? this.drawnWords(node) : '';
    });
    return words.join('');
  }

  /** Laid over everything else: what it stands in hides nothing of it. */
  isOnTop(element: Element): boolean {
    return this.#reach.isOnTop(element);
  }

  #getter(name: 'firstChild' | 'nextSibling'): (this: Node) => Node | null {
    const { get } = Object.getOwnPropertyDescriptor(Node.prototype, name) ?? {};
    if (get === undefined) throw new Error('there is no tree to be read');
    return get;
  }

  /** What a form answers is what its fields are named; its prototype is asked instead. Everything else is asked itself, which is faster. */
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

  isElement(node: Node): node is Element {
    const { nodeType } = node;
    return nodeType === 1 || typeof nodeType !== 'number';
  }

  isText(node: Node): node is Text {
    const { nodeType } = node;
    return nodeType === 3 || nodeType === 4;
  }

  /** In the document without its shadow trees; throws for what is no selector. */
  findAll(selector: string): readonly Element[] {
    const root = Reflect.get(Document.prototype, 'documentElement', document);
    const below = Array.from(root.querySelectorAll(selector));
    return root.matches(selector) ? [root, ...below] : below;
  }

  innerText(element: Element): string {
    return Reflect.get(HTMLElement.prototype, 'innerText', element);
  }

  /** In the order in which they are shown. */
  children(element: Element): readonly Node[] {
    const name = this.name(element);
    if (name === 'form') return this.#list(element);
    const { shadowRoot } = element;
    if (shadowRoot !== null) return this.#list(shadowRoot);
    if (name === 'slot' && this.isHtml(element)) {
      // By its name and namespace it is one, of whichever window.
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return this.#list(element);
  }

  #list(parent: Node): readonly Node[] {
    const list: Node[] = [];
    for (let child = this.#firstChild.call(parent); child !== null; child = this.#nextSibling.call(child)) list.push(child);
    return list;
  }

  look(element: Element): Look {
    const style = getComputedStyle(element);
    const { display } = style;
    const blank = display.indexOf(' ');
    const outer = blank < 0 ? display : display.slice(0, blank);
    const inline = outer.startsWith('inline') || outer.startsWith('ruby') || outer === 'contents' || outer === 'math';
    // What is taken out of a line becomes a block: a letter at the start of a text, words for those who hear the page.
    const word = !inline && this.#words.has(this.name(element));
    const apart = word && (style.position === 'absolute' || style.position === 'fixed');
    const initial = word && style.cssFloat !== 'none' && element.textContent.trim().length <= 2;
    // Empty: in no shown tree at all, as the children of a shadow host that no slot takes.
    const rendered = outer !== 'none' && outer !== '';
    const { whiteSpaceCollapse } = style;
    const sight = rendered ? this.#sight.judge(element, style) : 'whole';
    const stands = sight !== 'whole' && this.#standsForAnother(element);
    return {
      rendered,
      visible: this.#sight.isVisible(element, style),
      closed: style.contentVisibility === 'hidden',
      unseen: sight === 'nothing' && !stands,
      judged: sight === 'parts' && !stands,
      legible: this.#sight.isLegible(element, style),
      block: !inline && !apart && !initial,
      spacing: whiteSpaceCollapse === 'collapse' ? 'collapse' : whiteSpaceCollapse === 'preserve-breaks' ? 'lines' : 'preserve',
      apart,
    };
  }

  /** A box that is painted by style instead, or a formula that is: they are read in the place of their pictures. */
  #standsForAnother(element: Element): boolean {
    if (this.#isPainted(element)) return true;
    if (this.isMath(element)) return true;
    const math = element.querySelector('math');
    return math !== null && math.textContent.trim() === element.textContent.trim();
  }

  /** Of these pages hide the browser's own and paint theirs. */
  #isPainted(element: Element): boolean {
    return this.name(element) === 'input' && /^(checkbox|radio)$/i.test(this.attribute(element, 'type') ?? '');
  }

  /** On which side the text of a cell stands. */
  align(element: Element): string {
    return getComputedStyle(element).textAlign;
  }

  /** How the items of a list are numbered, as the attribute `type` says it; empty for any other way. */
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

  /** Whether an `object` shows what stands in it, having nothing of its own: else its content has no boxes. */
  showsFallback(object: Element): boolean {
    const range = object.ownerDocument.createRange();
    range.selectNodeContents(object);
    return range.getClientRects().length > 0;
  }

  /** Against the address of the document that it stands in, without the user and password of that; null for what is no address. */
  resolve(element: Element, address: string): string | null {
    const base = Reflect.get(Node.prototype, 'baseURI', element);
    // The first line break is this one: the URL standard leaves none in an address that was parsed.
    const key = `${base}\n${address}`;
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const resolved = this.#resolveFrom(base, address);
    this.#resolved.set(key, resolved);
    return resolved;
  }

  #resolveFrom(base: string, address: string): string | null {
    try {
      const [userinfo = '//'] = /(?<=^https?:)\/\/[^/?#]*@/.exec(base) ?? [];
      return new URL(address, base).href.replace(userinfo, '//');
    } catch {
      return null;
    }
  }
}
