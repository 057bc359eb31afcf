import type { DocumentReader } from './document-reader.js';

/**
 * Writes the document as HTML (WHATWG HTML, "Serializing HTML fragments"). The
 * browser's own serialization is used wherever nothing changes; the path down to a changed node is written by hand.
 */
export class DocumentWriter {
  readonly #reader: DocumentReader;
  /** For an XML document the browser writes XML, but the output is HTML. */
  readonly #native = document instanceof HTMLDocument;
  readonly #void = new Set('area base br col embed hr img input link meta source track wbr basefont bgsound frame keygen param'.split(' '));
  readonly #raw = new Set('style script xmp iframe noembed noframes plaintext noscript'.split(' '));

  constructor(reader: DocumentReader) {
    this.#reader = reader;
  }

  writeDocument(): string {
    // A root element other than `html` gets its charset from the head that parsers add.
    const bare = Reflect.get(Document.prototype, 'documentElement', document) instanceof HTMLHtmlElement;
    const doctype = this.#native || bare ? '' : '<!DOCTYPE html>';
    return `${doctype}${bare ? '' : '<meta charset="utf-8">'}${this.#children(document)}`;
  }

  #children(parent: Node): string {
    const pieces: string[] = [];
    for (let child = this.#reader.step(parent, 'firstChild'); child !== null; child = this.#reader.step(child, 'nextSibling')) {
      pieces.push(this.#node(child, parent));
    }
    return pieces.join('');
  }

  #node(node: Node, parent: Node): string {
    if (node instanceof Element) return this.#element(node);
    if (node instanceof DocumentType) return this.#doctype(node);
    if (node instanceof Comment) return `<!--${node.data}-->`;
    if (!(node instanceof Text)) return '';
    const raw = parent instanceof HTMLElement && this.#raw.has(parent.localName);
    return raw ? node.data : this.#escape(node.data);
  }

  #doctype({ name, publicId, systemId }: DocumentType): string {
    const publicly = publicId === '' ? '' : ` PUBLIC "${publicId}"`;
    const system = systemId === '' ? '' : `${publicId === '' ? ' SYSTEM' : ''} "${systemId}"`;
    return `<!DOCTYPE ${name}${publicly}${system}>`;
  }

  #element(element: Element): string {
    // Read through prototypes, because a form may have any field names.
    const get = (name: 'localName' | 'outerHTML' | 'namespaceURI') => Reflect.get(Element.prototype, name, element);
    if (this.#native && !this.#reader.isSpecial(element)) return get('outerHTML') ?? '';
    if (this.#reader.overrides.get(element)?.dropped === true) return '';
    const known = /^http:\/\/www\.w3\.org\/(1999\/xhtml|2000\/svg|1998\/Math\/MathML)$/.test(get('namespaceURI') ?? '');
    const name = known ? (get('localName') ?? '') : element.nodeName;
    const start = `<${name}${this.#attributes(element)}>`;
    if (element instanceof HTMLElement && this.#void.has(name)) return start;
    return `${start}${this.#inner(element)}</${name}>`;
  }

  #inner(element: Element): string {
    const { inner, first = '', last = '' } = this.#reader.overrides.get(element) ?? {};
    const tree = this.#reader.trees.get(element);
    if (element instanceof HTMLTemplateElement && tree !== undefined) return this.#children(tree);
    const shadow = tree instanceof ShadowRoot ? this.#shadow(tree) : '';
    return `${shadow}${first}${inner ?? this.#children(element)}${last}`;
  }

  #shadow(root: ShadowRoot): string {
    const flags = [
      root.delegatesFocus ? ' shadowrootdelegatesfocus=""' : '',
      root.serializable ? ' shadowrootserializable=""' : '',
      root.clonable ? ' shadowrootclonable=""' : '',
      root.slotAssignment === 'manual' ? ' shadowrootslotassignment="manual"' : '',
    ];
    const { last = '' } = this.#reader.overrides.get(root) ?? {};
    return `<template shadowrootmode="open"${flags.join('')}>${this.#children(root)}${last}</template>`;
  }

  #attributes(element: Element): string {
    const overridden = this.#reader.overrides.get(element)?.attributes ?? {};
    const own = Array.from(Reflect.get(Element.prototype, 'attributes', element));
    const pairs = own.map(({ name, value }) => [name, name in overridden ? overridden[name] : value] as const);
    const added = Object.entries(overridden).filter(([name]) => !own.some((attribute) => attribute.name === name));
    return [...pairs, ...added]
      .map(([name, value]) => (typeof value === 'string' ? ` ${name}="${this.#escape(value).replaceAll('"', '&quot;')}"` : ''))
      .join('');
  }

  #escape(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }
}
