import type { ContentAttributes } from './content-attributes.js';
import type { Look, NodeReader } from './node-reader.js';

/** Under which name an element is written. */
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
  /** Parts of tables by their roles (WAI-ARIA 1.2), and the parts of their grids. */
  readonly #roles: ReadonlyMap<string, string> = new Map([
    ...['table', 'grid', 'treegrid'].map((role) => [role, 'table'] as const),
    ...['cell', 'gridcell'].map((role) => [role, 'td'] as const),
    ...['columnheader', 'rowheader'].map((role) => [role, 'th'] as const),
    ['rowgroup', 'tbody'],
    ['row', 'tr'],
    ['caption', 'caption'],
  ]);
  /** The tags of the parts of such tables, as far as they have been visited. */
  readonly #parts = new Map<Element, string>();

  constructor(reader: NodeReader, attributes: ContentAttributes) {
    this.#reader = reader;
    this.#attributes = attributes;
  }

  /** Begins and ends a line by its name. */
  isBlock(name: string): boolean {
    return this.#blocks.has(name);
  }

  /** Marks up words within a line. */
  isInline(name: string): boolean {
    return this.#inline.has(name);
  }

  isTablePart(name: string): boolean {
    return this.#table.has(name);
  }

  /** A cell by its role alone: its neighbors may be in the same line without a space. */
  isCell(element: Element): boolean {
    return /^(cell|gridcell|columnheader|rowheader)$/.test(this.#reader.attribute(element, 'role') ?? '');
  }

  /** The tag of an element in the output; empty if it is replaced by its content. */
  tagOf(element: Element, name: string, { block, spacing }: Look): string {
    const role = this.#reader.attribute(element, 'role') ?? '';
    if (role === 'heading') return `h${String(Math.min(6, Math.max(1, Number(this.#reader.attribute(element, 'aria-level') ?? 2) || 2)))}`;
    const part = this.#partOf(element, name);
    if (part !== undefined) return part;
    if (this.isTablePart(name)) return this.#isLayout(element) ? (block ? 'div' : '') : name;
    if (name === 'pre' && spacing !== 'preserve') return 'div';
    if (name === 'menu') return 'ul';
    // An anchor without a destination is not a link.
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

  /** The tag of an element in a table that is made by roles alone; undefined if it is not part of such a table. */
  #partOf(element: Element, name: string): string | undefined {
    const known = this.#parts.get(element);
    // A table within a cell of another is handled when the cell is written.
    if (known !== undefined || this.isTablePart(name) || this.#roleTag(element) !== 'table') return known;
    const parts = new Map<Element, string>([[element, 'table']]);
    if (!this.#gather(element, 'table', parts)) return undefined;
    for (const [part, tag] of parts) this.#parts.set(part, tag);
    return 'table';
  }

  /** The element has attributes that must be preserved when it is replaced by its content. */
  #says(element: Element): boolean {
    const id = this.#reader.attribute(element, 'id');
    return ['dir', 'lang'].some((key) => this.#reader.attribute(element, key) !== null) || (id !== null && this.#attributes.isTarget(id));
  }

  #roleTag(element: Element): string {
    return this.#roles.get(this.#reader.attribute(element, 'role') ?? '') ?? '';
  }

  /**
   * Collects the parts below a part. A parser preserves only the content of cells in a table, so an element with readable content outside
   * its cells is not a table.
   */
  #gather(element: Element, within: string, parts: Map<Element, string>): boolean {
    const fitting: Readonly<Record<string, readonly string[]>> = { table: ['caption', 'tbody', 'tr'], tbody: ['tr'], tr: ['td', 'th'] };
    return this.#reader.tree.children(element).every((node) => {
      if (this.#reader.tree.isText(node)) return node.data.trim() === '';
      if (!this.#reader.tree.isElement(node) || !this.#reader.look(node).rendered) return true;
      const tag = this.#roleTag(node);
      // A link must not be replaced by a row.
      const holder = tag === '' && /^(?:div|span|section|ul|ol|li|slot)$|-/.test(this.#reader.name(node)) && !this.#says(node);
      if (!holder && (!fitting[within]?.includes(tag) || this.#reader.name(node) === 'a')) return false;
      parts.set(node, tag);
      return tag === 'td' || tag === 'th' || tag === 'caption' || this.#gather(node, holder ? within : tag, parts);
    });
  }
}
