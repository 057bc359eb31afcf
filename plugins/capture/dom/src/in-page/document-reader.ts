import type { DocumentFrames } from './document-frames.js';
import type { ActiveContent } from './active-content.js';

/** Changes to an element's serialization, where the live document differs from its markup. */
export interface ElementOverrides {
  /** Null removes the attribute. */
  readonly attributes?: Readonly<Record<string, string | null>>;
  /** Instead of its children, as HTML. */
  readonly inner?: string;
  /** Before and after its children, as HTML. */
  readonly first?: string;
  readonly last?: string;
  /** The whole element is omitted. */
  readonly dropped?: true;
}

interface Inert {
  readonly programs: ActiveContent;
  readonly frames: DocumentFrames;
}

/**
 * Finds the parts of a document that the browser's own serialization omits: shadow
 * roots, style sheets made by script, form input, the charset as sent. Forms and the document are read through their prototypes, because
 * a page may have named a field `parentNode`.
 */
export class DocumentReader {
  readonly overrides = new Map<Node, ElementOverrides>();
  /** Open shadow roots, and the contents of templates, by their host elements. */
  readonly trees = new Map<Node, DocumentFragment>();
  readonly #owners = new Map<Node, Node>();
  readonly #sheets = new Map<CSSStyleSheet, string>();
  readonly #spine = new Set<Node>();
  readonly #inert: Inert | null;

  /** With `inert`, active content is omitted, and frames without a URL contain the content that they show. */
  constructor(inert: Inert | null) {
    this.#inert = inert;
  }

  /** Whether something at or below the node needs a change. The browser serializes the rest by itself. */
  isSpecial(node: Node): boolean {
    return this.#spine.has(node);
  }

  /** Navigates the tree in a way that a form's named fields cannot change. */
  step(node: Node, name: 'parentNode' | 'firstChild' | 'nextSibling'): Node | null {
    return Reflect.get(Node.prototype, name, node);
  }

  readDocument(): void {
    const [head, body] = ['head', 'body'].map((name): unknown => Reflect.get(Document.prototype, name, document));
    this.#readTree(document);
    this.#readCharset(head instanceof Element ? head : document.documentElement);
    const styles = this.#adopted(document);
    // Adopted style sheets come after all others.
    const late = body instanceof Element && body.querySelector('style, link[rel~="stylesheet" i]') !== null;
    const holder = late ? body : head;
    if (styles !== '' && holder instanceof Element) this.#override(holder, { last: styles });
  }

  #findAll(root: Document | DocumentFragment, selector: string): readonly Element[] {
    const within: ParentNode = root === document ? Reflect.get(Document.prototype, 'documentElement', document) : root;
    return Array.from(within.querySelectorAll(selector));
  }

  #readTree(root: Document | DocumentFragment): void {
    for (const element of this.#findAll(root, '*')) {
      // A form may have a field of that name and is not a shadow host; neither is the document element.
      const { shadowRoot } = element;
      if (shadowRoot !== null && shadowRoot instanceof ShadowRoot) this.#readShadow(element, shadowRoot);
      if (this.#inert !== null) this.#disarm(element, this.#inert);
    }
    for (const element of this.#findAll(root, 'style, input, select, textarea, pre, listing, template')) this.#readElement(element);
  }

  #disarm(element: Element, { programs, frames }: Inert): void {
    if (programs.isProgram(element)) this.#override(element, { dropped: true });
    const content = element instanceof HTMLIFrameElement ? frames.attributes(element) : {};
    const attributes = { ...programs.disarm(element), ...content };
    if (Object.keys(attributes).length > 0) this.#override(element, { attributes });
  }

  #readShadow(host: Element, shadow: ShadowRoot): void {
    this.trees.set(host, shadow);
    this.#owners.set(shadow, host);
    this.#mark(host);
    this.#readTree(shadow);
    const styles = this.#adopted(shadow);
    if (styles !== '') this.#override(shadow, { last: styles });
  }

  #readElement(element: Element): void {
    switch (element.localName) {
      case 'style':
        this.#readStyle(element);
        break;
      case 'input':
        if (element instanceof HTMLInputElement) this.#readInput(element);
        break;
      case 'select':
        if (element instanceof HTMLSelectElement) this.#readSelect(element);
        break;
      case 'textarea':
        if (element instanceof HTMLTextAreaElement) this.#readTextarea(element);
        break;
      case 'pre':
      case 'listing':
        // Parsers remove a leading line break.
        if (element.firstChild instanceof Text && element.firstChild.data.startsWith('\n')) this.#override(element, { first: '\n' });
        break;
      case 'template':
        if (element instanceof HTMLTemplateElement) this.#readTemplate(element);
        break;
    }
  }

  /** Only one with a shadow root in it needs care: a template's content is serialized by the browser too. */
  #readTemplate(template: HTMLTemplateElement): void {
    this.trees.set(template, template.content);
    this.#owners.set(template.content, template);
    this.#readTree(template.content);
  }

  #readStyle(element: Element): void {
    const sheet: unknown = Reflect.get(element, 'sheet');
    if (!(sheet instanceof CSSStyleSheet)) return;
    const text = element.textContent;
    // Rules that script has inserted or deleted are not in the text.
    if (sheet.cssRules.length !== this.#countRules(text, sheet)) this.#override(element, { inner: this.#textOf(sheet) });
    if (sheet.disabled) this.#override(element, { attributes: { media: 'not all' } });
  }

  #countRules(text: string, { cssRules }: CSSStyleSheet): number {
    if (text.trim() === '') return 0;
    const parsed = new CSSStyleSheet();
    parsed.replaceSync(text);
    // A constructed style sheet does not support imports.
    return parsed.cssRules.length + Array.from(cssRules).filter((rule) => rule instanceof CSSImportRule).length;
  }

  #textOf(sheet: CSSStyleSheet): string {
    const known = this.#sheets.get(sheet);
    if (known !== undefined) return known;
    const text = Array.from(sheet.cssRules, ({ cssText }) => cssText)
      .join('\n')
      .replaceAll(/<\/style/gi, '<\\/style');
    this.#sheets.set(sheet, text);
    return text;
  }

  #adopted({ adoptedStyleSheets }: DocumentOrShadowRoot): string {
    return Array.from(adoptedStyleSheets)
      .filter((sheet) => !sheet.disabled && sheet.cssRules.length > 0)
      .map((sheet) => {
        const media = sheet.media.mediaText.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        return `<style${media === '' ? '' : ` media="${media}"`}>${this.#textOf(sheet)}</style>`;
      })
      .join('');
  }

  /** Passwords are never read. */
  #readInput(input: HTMLInputElement): void {
    if (input.type === 'checkbox' || input.type === 'radio') {
      if (input.checked !== input.defaultChecked) this.#override(input, { attributes: { checked: input.checked ? '' : null } });
    } else if (!['password', 'file', 'hidden', 'submit', 'reset', 'button', 'image'].includes(input.type)) {
      const initial = input.getAttribute('value');
      const touched = initial === null ? input.value !== '' && !['range', 'color'].includes(input.type) : input.value !== initial;
      if (touched) this.#override(input, { attributes: { value: input.value } });
    }
  }

  #readSelect({ options, multiple, size, selectedIndex }: HTMLSelectElement): void {
    const all = Array.from(options);
    const initial = all.filter(({ defaultSelected }) => defaultSelected);
    const first = multiple || size > 1 ? [] : all.filter(({ disabled }) => !disabled).slice(0, 1);
    const start = multiple ? initial : initial.length > 0 ? initial.slice(-1) : first;
    const chosen = multiple ? all.filter(({ selected }) => selected) : all.slice(selectedIndex, selectedIndex < 0 ? 0 : selectedIndex + 1);
    if (start.length === chosen.length && start.every((option, index) => option === chosen[index])) return;
    for (const option of all) {
      const selected = chosen.includes(option);
      if (selected !== option.defaultSelected) this.#override(option, { attributes: { selected: selected ? '' : null } });
    }
  }

  #readTextarea(area: HTMLTextAreaElement): void {
    if (area.value === area.defaultValue.replaceAll(/\r\n?/g, '\n') && !area.value.startsWith('\n')) return;
    const text = area.value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    this.#override(area, { inner: text.startsWith('\n') ? `\n${text}` : text });
  }

  /** The output is UTF-8, and the document declares that. */
  #readCharset(holder: Element): void {
    const metas = this.#findAll(document, 'meta[charset], meta[http-equiv="content-type" i]');
    for (const meta of metas) {
      const name = meta.hasAttribute('charset') ? 'charset' : 'content';
      const wanted = name === 'charset' ? 'utf-8' : 'text/html; charset=utf-8';
      if (meta.getAttribute(name)?.toLowerCase() !== wanted) this.#override(meta, { attributes: { [name]: wanted } });
    }
    // For any other root, the writer adds it.
    if (metas.length === 0 && holder instanceof HTMLElement) this.#override(holder, { first: '<meta charset="utf-8">' });
  }

  #override(node: Node, change: ElementOverrides): void {
    const known = this.overrides.get(node);
    this.overrides.set(node, { ...known, ...change, attributes: { ...known?.attributes, ...change.attributes } });
    this.#mark(node);
  }

  #mark(node: Node): void {
    for (let at: Node | null = node; at !== null && !this.#spine.has(at);) {
      this.#spine.add(at);
      at = this.#owners.get(at) ?? this.step(at, 'parentNode');
    }
  }
}
