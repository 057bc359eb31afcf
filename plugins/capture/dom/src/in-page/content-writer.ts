import type { ContentAttributes } from './content-attributes.js';
import type { ContentMaths, FoundMaths } from './content-maths.js';
import type { ContentMedia } from './content-media.js';
import type { InheritedState, Written } from './content-parts.js';
import type { ContentTags } from './content-tags.js';
import { isCodeTable, Listing } from './listing.js';
import type { Look, NodeReader } from './node-reader.js';

export interface ContentParts {
  readonly reader: NodeReader;
  readonly media: ContentMedia;
  readonly maths: ContentMaths;
  readonly attributes: ContentAttributes;
  readonly tags: ContentTags;
  readonly mark: string;
}

/**
 * Writes the readable content as clean HTML. An element is preserved for its meaning
 * (a heading, a list, a link). Any other becomes a `div` if it begins a line, and is replaced by its text if it does not.
 */
export class ContentWriter {
  readonly #reader: NodeReader;
  readonly #media: ContentMedia;
  readonly #maths: ContentMaths;
  readonly #attributes: ContentAttributes;
  readonly #tags: ContentTags;
  readonly #mark: string;
  /** Frames that this world cannot access, in the order of their marks. */
  readonly frames: Element[] = [];
  readonly #images = new Set<string>();
  readonly #dropped = new Set(
    'script style template noscript noembed noframes head title meta link base param source track datalist object embed applet audio video canvas progress meter area'.split(
      ' ',
    ),
  );

  /** `mark` is a word that the page cannot know: comments with it mark where frames are inserted. */
  constructor({ reader, media, maths, attributes, tags, mark }: ContentParts) {
    this.#reader = reader;
    this.#media = media;
    this.#maths = maths;
    this.#attributes = attributes;
    this.#tags = tags;
    this.#mark = mark;
  }

  get images(): readonly string[] {
    return [...this.#images];
  }

  /** The children of an element that represents a whole document. */
  writeChildren(element: Element): string {
    const { visible, legible, partial, spacing } = this.#reader.look(element);
    return this.#children(element, { visible, legible, partial, spacing, pre: null, depth: 0, math: false }).html;
  }

  /** A single element. Parts of tables are wrapped in the table that parsers need. */
  writeElement(element: Element): string {
    const name = this.#reader.name(element);
    const parent = element.parentElement;
    let within = false;
    let held = !this.#reader.isOnTop(element);
    for (let at = parent; at !== null; at = at.parentElement) {
      const { rendered, closed, unseen, partial } = this.#reader.look(at);
      if (!rendered || closed || (held && unseen)) return '';
      within ||= held && partial;
      held &&= !this.#reader.isOnTop(at);
    }
    const { html } = this.#element(element, {
      visible: true,
      legible: true,
      partial: within,
      spacing: parent === null ? 'collapse' : this.#reader.look(parent).spacing,
      pre: null,
      depth: 0,
      math: false,
    });
    if (html === '' || !this.#tags.isTablePart(name) || name === 'table') return html;
    return `<table>${['td', 'th'].includes(name) ? `<tr>${html}</tr>` : html}</table>`;
  }

  #children(element: Element, inside: InheritedState): Written {
    let html = '';
    let block = false;
    for (const node of this.#reader.tree.children(element)) {
      if (this.#reader.tree.isText(node)) {
        const legible = inside.legible && (!inside.partial || node.data.trim() === '' || this.#reader.showsText(node));
        html += this.#text(node.data, legible === inside.legible ? inside : { ...inside, legible }, node);
      } else if (this.#reader.tree.isElement(node)) {
        const written = this.#element(node, inside);
        html += written.html;
        block ||= written.block;
      }
    }
    return { html, block };
  }

  #text(data: string, { visible, legible, spacing, pre }: InheritedState, node: Text | null = null): string {
    // Blanks between boxes separate words.
    if (!visible || data === '' || (!legible && data.trim() !== '')) return '';
    if (pre !== null) return this.#attributes.escape(pre.text(data, node));
    const text = this.#attributes.escape(data);
    if (spacing === 'collapse') return text;
    const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\n', '<br>');
    // A preserved space is written as a non-breaking space; the first of a run may break the line.
    return spacing === 'lines' ? lines : lines.replaceAll('\t', '    ').replaceAll(/(^|<br>) | (?= )/g, '$1\u00a0');
  }

  #element(element: Element, outside: InheritedState): Written {
    const nothing = { html: '', block: false };
    const name = this.#reader.name(element);
    if (outside.math) return this.#math(element, outside);
    const maths = this.#maths.find(element, name);
    if (maths === 'echo') return nothing;
    if (this.#dropped.has(name) && (name !== 'object' || !this.#reader.hasBoxes(element)))
      return maths === null ? nothing : this.#found(element, maths, outside);
    const look = this.#reader.look(element);
    if (!look.rendered || look.unseen) return nothing;
    if (outside.depth > 800) return { html: this.#text(this.#reader.innerText(element), { ...outside, spacing: 'lines' }), block: true };
    const { visible, legible, spacing } = look;
    const inside = { ...outside, visible, legible, partial: outside.partial || look.partial, spacing, depth: outside.depth + 1 };
    if (!this.#reader.isHtml(element)) return this.#foreign(element, inside);
    if (maths !== null) return this.#found(element, maths, inside);
    const leaf = this.#leaf(element, name, this.#byItself(element, name, inside));
    if (leaf !== null) return leaf;
    if (look.closed) return nothing;
    return outside.pre === null ? this.#flow(element, look, inside) : this.#inPre(element, { ...inside, look, listing: outside.pre });
  }

  /** As `inside`, without the text that is in an invisible place. */
  #byItself(element: Element, name: string, inside: InheritedState): InheritedState {
    if (!inside.partial || !/^(img|hr|input|select|textarea|iframe|frame)$/.test(name)) return inside;
    return { ...inside, visible: inside.visible && this.#reader.showsBox(element) };
  }

  /** A formula in place of its rendering. */
  #found(element: Element, maths: Exclude<FoundMaths, 'echo'>, inside: InheritedState): Written {
    if (!inside.visible || (inside.partial && !this.#reader.showsBeside(element))) return { html: '', block: false };
    if ('math' in maths) return this.#math(maths.math, { ...inside, partial: false });
    const tex = this.#attributes.quote(maths.tex);
    const html = `<math${maths.display ? ' display="block"' : ''} data-linear="${tex}"><annotation encoding="application/x-tex">${tex}</annotation></math>`;
    return maths.display ? { html: `<div>${html}</div>`, block: true } : { html, block: false };
  }

  /** Elements without content; null for any other. */
  #leaf(element: Element, name: string, inside: InheritedState): Written | null {
    const { visible, pre } = inside;
    switch (name) {
      case 'br':
        return { html: !visible ? '' : pre === null ? '<br>' : pre.text('\n'), block: false };
      case 'wbr':
        return { html: pre === null ? '<wbr>' : '', block: false };
      case 'hr':
        return { html: visible ? '<hr>' : '', block: true };
      case 'img':
        // By its name and namespace it is one.
        return { html: visible ? this.#image(element as HTMLImageElement) : '', block: false };
      case 'input':
      case 'select':
      case 'textarea':
        return { html: visible ? this.#control(element, inside) : '', block: false };
      case 'iframe':
      case 'frame':
        return visible ? this.#frame(element) : { html: '', block: false };
      case 'button':
        // Controls in a listing, such as a copy button, are not part of its text.
        if (pre !== null) return { html: '', block: false };
        return this.#spaced(this.#children(element, inside));
      default:
        return null;
    }
  }

  /** Separates controls that have no space between them. */
  #spaced({ html, block }: Written): Written {
    return { html: html.trim() === '' ? '' : ` ${html} `, block };
  }

  #control(element: Element, inside: InheritedState): string {
    const control = this.#media.control(element);
    const html = 'html' in control ? control.html : this.#text(control.text, { ...inside, spacing: 'lines' });
    return this.#spaced({ html, block: false }).html;
  }

  #image(image: HTMLImageElement): string {
    const source = this.#media.source(image);
    const alt = this.#media.alt(image);
    if (source === null) return '';
    if (source === '') return this.#attributes.escape(alt);
    this.#images.add(source);
    const title = this.#reader.attribute(image, 'title');
    return `<img src="${this.#attributes.quote(source)}" alt="${this.#attributes.quote(alt)}"${title === null ? '' : ` title="${this.#attributes.quote(title)}"`}>`;
  }

  #frame(frame: Element): Written {
    // Checked by name. The document of a cross-site frame cannot be accessed from here.
    const { contentDocument, clientWidth, clientHeight } = frame as HTMLIFrameElement;
    if (clientWidth <= 1 || clientHeight <= 1) return { html: '', block: true };
    if (contentDocument === null) {
      this.frames.push(frame);
      return { html: `<!--${this.#mark}:${String(this.frames.length - 1)}-->`, block: true };
    }
    // Not `body`: a frameset's frames are below it.
    const body = Reflect.get(Document.prototype, 'body', contentDocument) as HTMLElement | null;
    const html = body === null ? '' : this.writeChildren(body);
    return { html: html.trim() === '' ? '' : `<div>${html}</div>`, block: true };
  }

  #foreign(element: Element, inside: InheritedState): Written {
    const name = this.#reader.name(element);
    if (this.#reader.isMath(element)) return this.#math(element, inside);
    if (/^(title|desc|defs|symbol|metadata|clipPath|mask|pattern|marker)$/.test(name)) return { html: '', block: false };
    // Only the words of a drawing are read; there is no text between its elements.
    if (name === 'text') {
      const legible = inside.legible && this.#reader.isInDrawing(element) && (!inside.partial || this.#reader.showsBox(element));
      return this.#spaced({ html: this.#text(this.#reader.drawnWords(element), { ...inside, visible: true, legible }), block: false });
    }
    if (name === 'foreignObject') return this.#spaced(this.#children(element, inside));
    const { tree } = this.#reader;
    const elements = tree.children(element).filter((node) => tree.isElement(node));
    const written = elements.map((node) => this.#element(node, inside));
    return { html: written.map(({ html }) => html).join(''), block: written.some(({ block }) => block) };
  }

  /** Unchanged, with its source notation. */
  #math(element: Element, inside: InheritedState): Written {
    const name = this.#reader.name(element);
    const nothing = { html: '', block: false };
    if (name === 'script' || name === 'style') return nothing;
    if (name === 'math' && (!inside.visible || (inside.partial && !this.#reader.showsBeside(element)))) return nothing;
    const whole = { ...inside, visible: true, legible: true, partial: false };
    const { html } = this.#children(element, { ...whole, math: true, pre: null, spacing: 'collapse' });
    const linear =
      name === 'math' ? ` data-linear="${this.#attributes.quote(this.#maths.linear(element).replaceAll(/\s+/g, ' ').trim())}"` : '';
    const written = `<${name}${this.#attributes.write(element, name)}${linear}>${html}</${name}>`;
    const block = name === 'math' && (this.#reader.look(element).block || this.#reader.attribute(element, 'display') === 'block');
    return { html: block ? `<div>${written}</div>` : written, block };
  }

  /** In a listing only links, emphasis and the language are preserved; elements that begin a line still do. */
  #inPre(element: Element, { look, listing, ...inside }: InheritedState & { readonly look: Look; readonly listing: Listing }): Written {
    if (listing.isGutter(element, look)) return { html: '', block: false };
    // A listing in a table of code may name the language.
    const name = this.#reader.name(element).replace(/^pre$/, 'code');
    listing.begin(element, look);
    const { html } = this.#children(element, inside);
    const whole = html + listing.end(element, look, html);
    const preserved = this.#tags.isInline(name) && html !== '';
    return { html: preserved ? `<${name}${this.#attributes.write(element, name)}>${whole}</${name}>` : whole, block: look.block };
  }

  #flow(element: Element, look: Look, inside: InheritedState): Written {
    const name = this.#reader.name(element);
    const tag = this.#tags.tagOf(element, name, look);
    const typed = look.spacing === 'preserve' && (tag === 'pre' || (look.block && ['code', 'samp', 'kbd', 'tt'].includes(name)));
    const table = name === 'table' && isCodeTable(element, this.#reader);
    const listing = typed || table;
    const pre = listing ? new Listing(this.#reader, element) : null;
    const closed = name === 'details' && this.#reader.attribute(element, 'open') === null;
    const { html, block } = closed ? this.#summary(element, inside) : this.#children(element, { ...inside, pre });
    const written = this.#wrap({ element, name: table ? 'pre' : name, tag: listing ? 'pre' : tag, look, html, block });
    return look.apart || (!written.block && this.#tags.isCell(element)) ? this.#spaced(written) : written;
  }

  #summary(element: Element, inside: InheritedState): Written {
    const summary = this.#reader.tree
      .children(element)
      .find((node) => this.#reader.tree.isElement(node) && this.#reader.name(node) === 'summary');
    return summary !== undefined && this.#reader.tree.isElement(summary) ? this.#element(summary, inside) : { html: '', block: true };
  }

  #wrap({ element, name, tag, look, html, block }: Written & { element: Element; name: string; tag: string; look: Look }): Written {
    const id = this.#reader.attribute(element, 'id');
    const anchor = id !== null && this.#attributes.isTarget(id);
    const cell = tag === 'td' || tag === 'th' || tag === 'col' || tag === 'colgroup';
    const empty = html.trim() === '' && !anchor && !cell && !this.#attributes.isNumbered(element, name);
    const own = this.#tags.isBlock(tag);
    if (empty) return { html: own || look.block ? '' : html, block: own || look.block };
    // Parsers end a paragraph before any element in it that begins a line.
    const written = tag === 'p' && block ? 'div' : tag;
    const direction =
      written === '' && (this.#reader.attribute(element, 'dir') !== null || this.#reader.attribute(element, 'lang') !== null);
    const wrapper = written === '' && (anchor || direction) ? 'span' : written;
    const attributes =
      this.#attributes.write(element, name) +
      (cell ? this.#attributes.alignment(element) : this.#attributes.numerals(element, name)) +
      (anchor ? ` id="${this.#attributes.quote(id)}"` : '');
    // An element that only looks like a listing is written as one.
    const body = tag === 'pre' && name !== 'pre' ? `<${name}${attributes}>${html}</${name}>` : html;
    const start = tag === 'pre' && body.startsWith('\n') ? '\n' : '';
    const whole = wrapper === '' ? body : `<${wrapper}${body === html ? attributes : ''}>${start}${body}</${wrapper}>`;
    const lines = look.block && this.#tags.isInline(wrapper);
    return { html: lines ? `<div>${whole}</div>` : whole, block: block || own || look.block };
  }
}
