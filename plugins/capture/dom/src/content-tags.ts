import type { ContentAttributes } from './content-attributes.js';
import type { Look, NodeReader } from './node-reader.js';

/** Runs in the page: closes over nothing. Under which name an element is written. */
export class ContentTags {
  readonly #reader: NodeReader;
  readonly #attributes: ContentAttributes;
  readonly #blocks = new Set(
    'address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
      ' ',
    ),
  );
  readonly #inline = new Set(
    'a abbr b bdi bdo cite code del dfn em i ins kbd mark q rp rt ruby s samp small strike strong sub sup time tt u var'.split(' '),
  );
  readonly #table = new Set('table caption colgroup col thead tbody tfoot tr td th'.split(' '));

  constructor(reader: NodeReader, attributes: ContentAttributes) {
    this.#reader = reader;
    this.#attributes = attributes;
  }

  /** Begins and ends a line by its name. */
  isBlock(name: string): boolean {
    return this.#blocks.has(name);
  }

  /** Says something of words within a line. */
  isInline(name: string): boolean {
    return this.#inline.has(name);
  }

  isTablePart(name: string): boolean {
    return this.#table.has(name);
  }

  /** A cell by its role alone: its neighbours may stand in the same line without a blank. */
  isCell(element: Element): boolean {
    return /^(cell|gridcell|columnheader|rowheader)$/.test(this.#reader.attribute(element, 'role') ?? '');
  }

  /** The name under which an element is written; empty where it gives way to its content. */
  tagOf(element: Element, name: string, { block, spacing }: Look): string {
    const role = this.#reader.attribute(element, 'role') ?? '';
    if (role === 'heading') return `h${String(Math.min(6, Math.max(1, Number(this.#reader.attribute(element, 'aria-level') ?? 2) || 2)))}`;
    if (this.isTablePart(name)) return this.#isLayout(element) ? (block ? 'div' : '') : name;
    if (name === 'pre' && spacing !== 'preserve') return 'div';
    if (name === 'menu') return 'ul';
    // What leads nowhere is no link.
    if (name === 'a' && !this.#attributes.isLink(element)) return block ? 'div' : '';
    if (this.isInline(name)) return name;
    if (name === 'form') return block ? 'div' : '';
    if (['div', 'p', 'section', 'article', 'address'].includes(name)) return block ? name : '';
    if (this.isBlock(name)) return name;
    return block ? 'div' : '';
  }

  /** A table that only arranges things. */
  #isLayout(element: Element): boolean {
    const role = element.closest('table')?.getAttribute('role');
    return role === 'presentation' || role === 'none';
  }
}
