import type { NodeReader } from './node-reader.js';

/** A formula found beside its rendering. */
export type FoundMaths = { readonly math: Element } | { readonly tex: string; readonly display: boolean } | 'echo';

/** Formulas: where pages keep them, and how they read as one line. */
export class ContentMaths {
  readonly #reader: NodeReader;
  readonly #accents: Readonly<Record<string, string>> = {
    '¯': '\u0304',
    '‾': '\u0304',
    '^': '\u0302',
    ˆ: '\u0302',
    '~': '\u0303',
    '˜': '\u0303',
    '→': '\u20d7',
    '⃗': '\u20d7',
    '˙': '\u0307',
    '¨': '\u0308',
  };

  constructor(reader: NodeReader) {
    this.#reader = reader;
  }

  /** What TeX renderers leave in a page: the TeX source, MathML, and purely visual renderings of it (`echo`). Null: none of them. */
  find(element: Element, name: string): FoundMaths | null {
    if (name === 'script') return this.#source(element);
    if (name === 'mjx-container') return this.#mathJax(element);
    const classes = this.#reader.attribute(element, 'class') ?? '';
    if (classes === '') return null;
    if (/\bkatex-html\b/.test(classes)) return this.#isKatexEcho(element) ? 'echo' : null;
    if (/(^|\s)(MathJax|MJX|mjx-chtml)/.test(classes)) return this.#isBeforeSource(element) ? 'echo' : null;
    return /\bmwe-math-element\b/.test(classes) ? this.#mediaWiki(element) : null;
  }

  /** MathJax 2 stores the TeX in a script after the rendering. */
  #source(element: Element): FoundMaths | null {
    const [type = '', mode = ''] = (this.#reader.attribute(element, 'type') ?? '').split(';');
    if (type.trim() !== 'math/tex') return null;
    return { tex: element.textContent.trim(), display: /mode\s*=\s*display/.test(mode) };
  }

  /** MathJax 4 keeps the TeX in an attribute, MathJax 3 hides MathML beside the rendering. */
  #mathJax(container: Element): FoundMaths | null {
    const root = container.querySelector('mjx-math, [data-mml-node="math"]');
    const tex = root === null ? null : this.#reader.attribute(root, 'data-latex');
    if (tex !== null) return { tex: tex.trim(), display: this.#reader.attribute(container, 'display') === 'true' };
    const math = container.querySelector('math');
    return math === null ? null : { math };
  }

  #isBeforeSource(element: Element): boolean {
    let at = element.nextElementSibling;
    while (at !== null && /(^|\s)(MathJax|MJX|mjx-chtml)/.test(this.#reader.attribute(at, 'class') ?? '')) at = at.nextElementSibling;
    return at !== null && this.#reader.name(at) === 'script' && this.#source(at) !== null;
  }

  #isKatexEcho(element: Element): boolean {
    return (
      this.#reader.attribute(element, 'aria-hidden') === 'true' && (element.previousElementSibling?.querySelector('math') ?? null) !== null
    );
  }

  /** It hides the formula and shows an image, whose text is the TeX. */
  #mediaWiki(element: Element): FoundMaths | null {
    const math = element.querySelector('math');
    if (math !== null) return { math };
    const image = element.querySelector('img');
    const alt = image === null ? null : this.#reader.attribute(image, 'alt');
    if (image === null || alt === null || alt === '') return null;
    const tex = /^\{\\(?:displaystyle|textstyle) (.*)\}$/s.exec(alt)?.[1]?.trim() ?? alt;
    return { tex, display: (this.#reader.attribute(image, 'class') ?? '').includes('display') };
  }

  /** MathML as typed in one line: `(a+b)/2`, `x^2`, `√(2)`. */
  linear(element: Element): string {
    const name = this.#reader.name(element);
    const all = Array.from(element.children);
    const [first, second, third] = all;
    switch (name) {
      case 'annotation':
      case 'annotation-xml':
      case 'mphantom':
      case 'none':
      case 'mprescripts':
        return '';
      case 'mspace':
        return ' ';
      case 'mi':
      case 'mn':
      case 'mo':
      case 'ms':
      case 'mtext':
        // Invisible multiplication signs and separators; a space separates a function from its argument.
        return element.textContent
          .replaceAll(/[\u2062-\u2064]/g, '')
          .replaceAll('\u2061', ' ')
          .replaceAll(/\s+/g, ' ');
      case 'semantics':
        return first === undefined ? '' : this.linear(first);
      case 'mfrac':
        return this.#reader.attribute(element, 'linethickness')?.startsWith('0') === true
          ? `(${this.#of(first)} choose ${this.#of(second)})`.replace('((', '(')
          : `${this.#atom(first)}/${this.#atom(second)}`;
      case 'msqrt':
        return `√(${this.#row(all)})`;
      case 'mroot':
        return `root(${this.#of(first)}, ${this.#of(second)})`;
      case 'msub':
      case 'munder':
        return `${this.#atom(first)}_${this.#atom(second)}`;
      case 'msup':
        return `${this.#atom(first)}^${this.#atom(second)}`;
      case 'mover':
        return this.#over(first, second);
      case 'msubsup':
      case 'munderover':
        return `${this.#atom(first)}_${this.#atom(second)}^${this.#atom(third)}`;
      default:
        return this.#arranged(element, name, all);
    }
  }

  #arranged(element: Element, name: string, all: readonly Element[]): string {
    switch (name) {
      case 'mfenced':
        return `${this.#reader.attribute(element, 'open') ?? '('}${all.map((one) => this.linear(one)).join(', ')}${this.#reader.attribute(element, 'close') ?? ')'}`;
      case 'mtable':
        return `[${all.map((one) => this.linear(one)).join('; ')}]`;
      case 'mtr':
      case 'mlabeledtr':
        return all.map((one) => this.linear(one)).join(', ');
      default:
        return this.#row(all);
    }
  }

  /** Separates words and numbers that would otherwise run together. */
  #row(elements: readonly Element[]): string {
    let text = '';
    let before = '';
    for (const element of elements) {
      const own = this.linear(element);
      const kind = this.#reader.name(element);
      const runs =
        (kind === 'mn' && before === 'mn') || (kind === 'mi' && before === 'mi' && (own.length > 1 || /[\p{L}]{2,}$/u.test(text)));
      text += runs ? ` ${own}` : own;
      if (own !== '') before = kind;
    }
    return text;
  }

  #of(element: Element | undefined): string {
    return element === undefined ? '' : this.linear(element);
  }

  /** In parentheses, unless it is a single name, number or sign, or already in parentheses. */
  #atom(element: Element | undefined): string {
    const text = this.#of(element).trim();
    const single = /^([\p{L}\p{M}]+|[\p{N}.,]+|[^\p{L}\p{N}])[′']*$/u.test(text);
    return single || /^\([^()]*\)$/.test(text) ? text : `(${text})`;
  }

  #over(base: Element | undefined, above: Element | undefined): string {
    const accent = this.#accents[this.#of(above).trim()];
    const under = this.#of(base).trim();
    if (accent !== undefined && /^.$/u.test(under)) return under + accent;
    return `${this.#atom(base)}^${this.#atom(above)}`;
  }
}
