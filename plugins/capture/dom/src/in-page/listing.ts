import type { Look, NodeReader } from './node-reader.js';

/** A listing in progress: its white space is preserved, and its boxes begin the lines that they begin in the page. */
export class Listing {
  readonly #reader: NodeReader;
  readonly #root: Element;
  readonly #text: string;
  #last = '';
  /** Written before the next text. */
  #due: '' | '\n' | ' ' = '';
  /** The block that has just ended; null if text follows it. */
  #before: Element | null = null;

  constructor(reader: NodeReader, root: Element) {
    this.#reader = reader;
    this.#root = root;
    this.#text = root.textContent.trim();
  }

  /** White space between the items of a grid, a row or a table has no box, and is not text. */
  text(data: string, node: Text | null = null): string {
    if (node !== null && data.trim() === '' && !this.#reader.hasBoxes(node)) return '';
    const text = data.replaceAll(/\r\n?/g, '\n');
    const due = this.#due === '\n' && /^\n?$/.test(this.#last) ? '' : this.#due;
    this.#due = '';
    this.#before = null;
    this.#last = text.at(-1) ?? this.#last;
    return due + text;
  }

  /** A block begins a line, unless it is beside a line before it. */
  begin(element: Element, { block }: Look): void {
    if (!block) return;
    const before = this.#before !== null && this.#isBeside(element, this.#before) ? this.#before.textContent.trim() : '\n';
    this.#due = before.includes('\n') ? '\n' : /^\d+$/.test(before) ? ' ' : '';
  }

  /** The rest of the element: a block that shows an empty line is one. */
  end(element: Element, { block }: Look, written: string): string {
    if (!block) return '';
    const empty = written === '' && element.clientHeight > 0 && element.querySelector('button, svg, img, input') === null;
    const rest = empty ? this.text('\n') : '';
    this.#due = '\n';
    this.#before = element;
    return rest;
  }

  /** Line numbers that cannot be selected, or that a counter writes into elements without text beside the code. */
  isGutter(element: Element, { block }: Look): boolean {
    const { textContent, nextElementSibling: next } = element;
    if (!/^[\s\d]*[.:|│]?$/.test(textContent.trimEnd())) return false;
    if (this.#reader.name(this.#root) === 'table' && this.#reader.name(element) === 'td') return next !== null;
    if (this.#reader.isUnselectable(element)) return textContent.trim() !== this.#text;
    if (textContent.trim() !== '') return false;
    return this.#reader.isOutOfFlow(element) || (block && next !== null && this.#isBeside(element, next));
  }

  #isBeside(one: Element, other: Element): boolean {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.top < b.bottom - 1 && b.top < a.bottom - 1;
  }
}

/** Code beside its line numbers: in one row, as highlighters write it, or a row for each line, as forges do. */
export function isCodeTable(table: Element, reader: NodeReader): boolean {
  const rows = Array.from(table.querySelectorAll('tr'));
  if (rows.length === 0 || table.querySelector('th, caption, table') !== null) return false;
  return rows.every(({ lastElementChild: cell, children }) => {
    if (cell === null || (rows.length > 1 && /\n./.test(cell.textContent.trimEnd()))) return false;
    const [inner = cell] = cell.querySelectorAll('pre, code');
    const gutters = Array.from(children).slice(0, -1);
    // A table of layout has more than code in its cell, and pictures beside it.
    const isCode = reader.isTyped(inner) && inner.textContent.trim() === cell.textContent.trim();
    const isNumber = (gutter: Element) => /^[\s\d+-]*$/.test(gutter.textContent) && gutter.querySelector('img, svg, input') === null;
    return gutters.length > 0 && isCode && gutters.every(isNumber);
  });
}
