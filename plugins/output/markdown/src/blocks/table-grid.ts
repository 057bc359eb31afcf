import { withoutBold } from './bold.js';
import { childrenOf, elementsIn, isNamed, isUnread, isElement, textOf, findAll } from './elements.js';

export type Alignment = 'left' | 'center' | 'right' | 'none';

export interface GridCell {
  readonly element: Element;
  /** The column and the row in which it begins. */
  readonly column: number;
  /** It begins here, and does not only reach here. */
  readonly first: boolean;
}

export interface GridRow {
  readonly cells: readonly GridCell[];
  readonly isHeader: boolean;
}

/** A table as rows and columns, with what spans several of them in each. */
export interface Grid {
  readonly rows: readonly GridRow[];
  readonly columns: number;
  /** Of each column the header cells' contents, from the top; empty where no row is a header. */
  readonly header: readonly (readonly (readonly Node[])[])[];
  readonly alignments: readonly Alignment[];
}

/** The standard's own bounds (4.9.11). */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;

export function readGrid(table: Element): Grid {
  const trs = rowsOf(table);
  const rows = placeCells(trs);
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const headerRows = countHeaderRows(trs);
  const isHeader = (at: number) => at < headerRows;
  const body = rows.filter((_, at) => !isHeader(at));
  const alignments = Array.from({ length: columns }, (_, column) => alignmentOf(rows[headerRows - 1]?.[column], body, column));
  const header = headerRows === 0 ? [] : alignments.map((_, column) => headerOf(rows.slice(0, headerRows), column));
  return { rows: rows.map((cells, at) => ({ cells, isHeader: isHeader(at) })), columns, header, alignments };
}

/** In the order in which they are shown: head, bodies, foot. */
function rowsOf(table: Element): readonly Element[] {
  const sections = elementsIn(table);
  const of = (...names: readonly string[]) =>
    sections.flatMap((section) => (isNamed(section, ...names) ? elementsIn(section).filter((row) => isNamed(row, 'TR')) : []));
  const body = sections.flatMap((section) => {
    if (isNamed(section, 'TR')) return [section];
    return isNamed(section, 'TBODY') ? elementsIn(section).filter((row) => isNamed(row, 'TR')) : [];
  });
  return [...of('THEAD'), ...body, ...of('TFOOT')].slice(0, MOST_ROWS);
}

function placeCells(trs: readonly Element[]): readonly (readonly GridCell[])[] {
  const rows: (GridCell | undefined)[][] = trs.map(() => []);
  trs.forEach((tr, at) => {
    let column = 0;
    for (const element of elementsIn(tr)) {
      if (!isNamed(element, 'TD', 'TH')) continue;
      while (rows[at]?.[column] !== undefined) column += 1;
      const width = span(element, 'colspan', MOST_COLUMNS - column);
      const height = span(element, 'rowspan', trs.length - at);
      for (let down = 0; down < height; down += 1) {
        for (let right = 0; right < width; right += 1) {
          const row = rows[at + down];
          if (row !== undefined) row[column + right] ??= { element, column, first: down === 0 && right === 0 };
        }
      }
      column += width;
    }
  });
  // A row that a cell from above reaches past has holes.
  return rows.filter((row) => row.length > 0).map((row) => Array.from(row, (cell, column) => cell ?? hole(row, column)));
}

function hole(row: readonly (GridCell | undefined)[], column: number): GridCell {
  const element = row.find((cell) => cell !== undefined)?.element.ownerDocument.createElement('td');
  if (element === undefined) throw new Error('a row without a cell');
  return { element, column, first: true };
}

function span(cell: Element, name: string, most: number): number {
  const said = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  if (said === 0 && name === 'rowspan') return most;
  return Math.max(1, Math.min(Number.isNaN(said) ? 1 : said, most));
}

/** Of a head all rows; without one the first rows of which all cells are headers. */
function countHeaderRows(trs: readonly Element[]): number {
  const filled = trs.filter((tr) => elementsIn(tr).some((cell) => isNamed(cell, 'TD', 'TH')));
  const inHead = filled.findIndex((tr) => !isNamed(tr.parentElement, 'THEAD'));
  const heads = inHead === -1 ? filled.length : inHead;
  // A head without a body is shown as rows: its first row is the header.
  if (heads > 0) return heads === filled.length ? 1 : heads;
  const [top] = filled;
  const cells = top === undefined ? [] : elementsIn(top).filter((cell) => isNamed(cell, 'TD', 'TH'));
  if (cells.length === 1 && filled.length === 1) return 0;
  const firstOther = filled.findIndex((tr) => !elementsIn(tr).every((cell) => isNamed(cell, 'TH')));
  return firstOther === -1 ? 1 : firstOther;
}

function headerOf(rows: readonly (readonly GridCell[])[], column: number): readonly (readonly Node[])[] {
  const cells = rows.flatMap((row) => row[column] ?? []);
  const distinct = cells.filter(({ element }, at) => cells.findIndex((cell) => cell.element === element) === at);
  return distinct
    .filter(({ element }) => textOf(element).trim() !== '' || findAll(element, 'IMG').length > 0)
    .map(({ element, column: own }) => withoutBold(flatten(own === column ? element : element.cloneNode(true))));
}

const LINES = ['DIV', 'P', 'UL', 'OL', 'LI', 'TABLE', 'CAPTION', 'THEAD', 'TBODY', 'TFOOT', 'TR', 'TD', 'TH'];

/** A header's content as one line. */
function flatten(node: Node): readonly Node[] {
  return childrenOf(node).flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isUnread(child)) return [];
    return isNamed(child, ...LINES) ? [space(child), ...flatten(child), space(child)] : [child];
  });
}

function space(node: Node): Node {
  const document = node.ownerDocument;
  if (document === null) throw new Error('a node without a document');
  return document.createTextNode(' ');
}

/** As all cells of the column say, else as its header does. */
function alignmentOf(header: GridCell | undefined, body: readonly (readonly GridCell[])[], column: number): Alignment {
  const cells = body.flatMap((row) => row[column] ?? []).filter(({ element, first }) => first && !isNamed(element, 'TH'));
  const said = new Set(cells.map(({ element }) => readAlignment(element)));
  const [only = 'none'] = said;
  const ofBody = said.size === 1 ? only : 'none';
  if (ofBody !== 'none' || header?.column !== column) return ofBody;
  // In the middle is where headers stand without being told.
  const ofHeader = readAlignment(header.element);
  return ofHeader === 'center' ? 'none' : ofHeader;
}

function readAlignment(cell: Element): Alignment {
  const style = /(?:^|;)\s*text-align\s*:\s*(left|center|right|start|end)/i.exec(cell.getAttribute('style') ?? '')?.[1];
  const said = (style ?? cell.getAttribute('align') ?? '').toLowerCase();
  return said === 'left' || said === 'center' || said === 'right' ? said : 'none';
}
