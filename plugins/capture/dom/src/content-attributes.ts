import type { ContentLanguage } from './content-language.js';
import type { NodeReader } from './node-reader.js';

/** Runs in the page; must not capture outer variables. The attributes of an element that matter to a reader or a converter. */
export class ContentAttributes {
  readonly #reader: NodeReader;
  readonly #language: ContentLanguage;
  readonly #meaningful = new Set(
    'colspan rowspan scope start reversed value datetime cite dir lang open display alttext encoding title'.split(' '),
  );
  readonly #targets: ReadonlySet<string>;

  constructor(reader: NodeReader, language: ContentLanguage) {
    this.#reader = reader;
    this.#language = language;
    const links = reader.findAll('a[href*="#"]');
    this.#targets = new Set(links.map((link) => this.#fragmentOf(reader.attribute(link, 'href') ?? '')));
  }

  #fragmentOf(href: string): string {
    try {
      return decodeURIComponent(href.slice(href.indexOf('#') + 1));
    } catch {
      return '';
    }
  }

  /** Whether a link of the document leads to the id. Any other id is omitted. */
  isTarget(id: string): boolean {
    return this.#targets.has(id);
  }

  escape(text: string): string {
    if (!/[&<>]/.test(text)) return text;
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  }

  quote(value: string): string {
    return this.escape(value).replaceAll('"', '&quot;');
  }

  write(element: Element, name: string): string {
    const classes = this.#language.classesOf(element, name);
    let written = classes === '' ? '' : ` class="${this.quote(classes)}"`;
    for (const key of this.#reader.attributeNames(element)) {
      const value = this.#reader.attribute(element, key) ?? '';
      if (key === 'aria-colspan' || key === 'aria-rowspan') written += ` ${key.slice(5)}="${this.quote(value)}"`;
      else if (this.#meaningful.has(key)) written += ` ${key}="${this.quote(value)}"`;
      else if (key === 'href' && name === 'a') written += this.#href(element, value);
    }
    return written;
  }

  /** An item whose number is shown, with or without punctuation after it. */
  isNumbered(element: Element, name: string): boolean {
    const list = name === 'li' ? element.parentElement : null;
    return list !== null && this.#reader.name(list) === 'ol' && this.#reader.numerals(element) !== '';
  }

  /** Of a numbered list, or of an item with its own numbering: letters or roman numerals, whether an attribute or a style sets them. */
  numerals(element: Element, name: string): string {
    const list = name === 'li' ? element.parentElement : null;
    if (name !== 'ol' && (list === null || this.#reader.name(list) !== 'ol')) return '';
    const own = this.#reader.numerals(element);
    const usual = list === null ? '1' : this.#reader.numerals(list);
    return own === '' || own === (usual === '' ? '1' : usual) ? '' : ` type="${own}"`;
  }

  /** Text alignment of a cell. */
  alignment(element: Element): string {
    const side = this.#reader.align(element).replace('-webkit-', '');
    const asked = this.#reader.attribute(element, 'align') ?? (['center', 'right', 'left', 'end'].includes(side) ? side : '');
    return asked === '' ? '' : ` align="${this.quote(asked.toLowerCase())}"`;
  }

  /** Whether it has a destination; a script URL is not a destination. */
  isLink(element: Element): boolean {
    const value = this.#reader.attribute(element, 'href');
    return value !== null && this.#href(element, value) !== '';
  }

  #href(element: Element, value: string): string {
    const address = this.#reader.resolve(element, value.trim());
    return address === null || /^(javascript|vbscript):/i.test(address) ? '' : ` href="${this.quote(address)}"`;
  }
}
