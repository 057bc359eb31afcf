import { withoutBold } from './bold.js';
import { childrenOf, findAll, hasBlockName, isElement, isNamed, isText, isUnread, textOf } from './elements.js';
import { placeCells, type PlacedCell } from './place-cells.js';

export type Alignment = 'left' | 'center' | 'right' | 'none';

export interface GridCell {
  readonly element: Element;
  /** The row and column in which it begins. */
  readonly column: number;
}

export interface GridRow {
  /** Cells that begin in the row, from the left. */
  readonly cells: readonly GridCell[];
  /** Copies of cells that span into the row from above; none if they would be too long. */
  readonly above: readonly GridCell[];
  readonly isHeader: boolean;
}

/** A table as rows and columns. A column in which no cell begins is omitted. */
export interface Grid {
  readonly rows: readonly GridRow[];
  readonly columns: number;
  /** Most positions of its rows and columns are empty: not a table meant to be read as one. */
  readonly sparse: boolean;
  /** The contents of each column's header cells, from the top; empty if no row is a header. */
  readonly header: readonly (readonly (readonly Node[])[])[];
  readonly alignments: readonly Alignment[];
}

/** Maximum table positions per cell: the output must grow with the table's length, not with rows times columns. */
const MOST_PLACES = 16;

/** Maximum characters of HTML in a cell that is repeated in the positions that it spans; a longer cell is written only where it begins. */
const MOST_REPEATED = 200;

/** Maximum repeated characters in total, per cell of the table. */
const REPEATED_PER_CELL = 128;

export function readGrid(table: Element): Grid {
  const placed = placeCells(table);
  const { rows, columns } = placed;
  const headerRows = countHeaderRows(rows);
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const sparse = rows.length * columns > MOST_PLACES * cells;
  const repeated = sparse ? new Set<PlacedCell>() : repeatedCells(rows, headerRows, cells);
  const header = headerRows === 0 ? [] : readHeader(rows.slice(0, headerRows), columns, repeated);
  const above = copyDown(rows.slice(headerRows), repeated);
  return {
    rows: rows.map((row, at) => ({ cells: row, above: above.get(at) ?? [], isHeader: at < headerRows })),
    columns,
    sparse,
    header,
    alignments: readAlignments(rows, headerRows, columns),
  };
}

/** Repeats headers of several columns and cells of several rows, or none of them if they would be too long in total. */
function repeatedCells(rows: readonly (readonly PlacedCell[])[], headerRows: number, cells: number): ReadonlySet<PlacedCell> {
  const repeated = new Set<PlacedCell>();
  let sum = 0;
  for (const cell of rows.flat()) {
    const times = cell.row < headerRows ? cell.width : cell.height;
    if (times === 1) continue;
    const length = cell.element.innerHTML.length;
    if (length > MOST_REPEATED) continue;
    repeated.add(cell);
    sum += (times - 1) * length;
  }
  return sum > REPEATED_PER_CELL * cells ? new Set() : repeated;
}

/** By row. */
function copyDown(rows: readonly (readonly PlacedCell[])[], repeated: ReadonlySet<PlacedCell>): ReadonlyMap<number, readonly GridCell[]> {
  const copies = new Map<number, GridCell[]>();
  for (const cell of rows.flat()) {
    if (!repeated.has(cell)) continue;
    for (let row = cell.row + 1; row < cell.row + cell.height; row += 1) {
      const ofRow = copies.get(row) ?? [];
      ofRow.push({ element: copyOf(cell.element), column: cell.column });
      copies.set(row, ofRow);
    }
  }
  return copies;
}

function copyOf(element: Element): Element {
  // A clone has the type of its original.
  return element.cloneNode(true) as Element;
}

function readHeader(
  rows: readonly (readonly PlacedCell[])[],
  columns: number,
  repeated: ReadonlySet<PlacedCell>,
): readonly (readonly (readonly Node[])[])[] {
  const header: (readonly Node[])[][] = Array.from({ length: columns }, () => []);
  for (const cell of rows.flat()) {
    const { element, column, width } = cell;
    if (textOf(element).trim() === '' && findAll(element, 'IMG').length === 0) continue;
    for (let at = column + 1; repeated.has(cell) && at < column + width; at += 1) header[at]?.push(contentOf(copyOf(element)));
    header[column]?.push(contentOf(element));
  }
  return header;
}

function contentOf(cell: Element): readonly Node[] {
  return withoutBold(flatten(cell));
}

/** A header's content on one line, with a space at the end of each block; an element around blocks (a link) is moved around their text. */
function flatten(node: Node): readonly Node[] {
  return childrenOf(node).flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isUnread(child)) return [];
    if (isNamed(child, 'PRE') && textOf(child).trim() !== '') return [space(child), codeOf(child), space(child)];
    if (hasBlockName(child)) return [space(child), ...flatten(child), space(child)];
    return findAll(child).some(hasBlockName) ? [space(child), around(child), space(child)] : [child];
  });
}

/** A code block on one line. */
function codeOf(listing: Element): Node {
  const code = documentOf(listing).createElement('code');
  code.textContent = textOf(listing).replace(/\s+/g, ' ').trim();
  return code;
}

function around(element: Element): Node {
  const shell = element.cloneNode(false);
  const content = flatten(element);
  const isBlank = (node: Node) => isText(node) && node.data.trim() === '';
  const first = content.findIndex((node) => !isBlank(node));
  const last = content.findLastIndex((node) => !isBlank(node));
  for (const node of content.slice(Math.max(0, first), last + 1)) shell.appendChild(node);
  return shell;
}

function space(node: Node): Node {
  return documentOf(node).createTextNode(' ');
}

function documentOf(node: Node): Document {
  const document = node.ownerDocument;
  if (document === null) throw new Error('a node without a document');
  return document;
}

/** The alignment that all cells of the column share, else that of its header. */
function readAlignments(rows: readonly (readonly PlacedCell[])[], headerRows: number, columns: number): readonly Alignment[] {
  const said: Set<Alignment>[] = Array.from({ length: columns }, () => new Set());
  const heads = new Map<number, Element>();
  for (const { element, row, column } of rows.flat()) {
    if (row < headerRows) heads.set(column, element);
    else if (!isNamed(element, 'TH')) said[column]?.add(readAlignment(element));
  }
  return said.map((ofColumn, column) => {
    const [only = 'none'] = ofColumn;
    const ofBody = ofColumn.size === 1 ? only : 'none';
    const head = heads.get(column);
    if (ofBody !== 'none' || head === undefined) return ofBody;
    // Header cells are centered by default.
    const ofHeader = readAlignment(head);
    return ofHeader === 'center' ? 'none' : ofHeader;
  });
}

function readAlignment(cell: Element): Alignment {
  const style = /(?:^|;)\s*text-align\s*:\s*(left|center|right|start|end)/i.exec(cell.getAttribute('style') ?? '')?.[1];
  const said = (style ?? cell.getAttribute('align') ?? '').toLowerCase();
  return said === 'left' || said === 'center' || said === 'right' ? said : 'none';
}

type Rows = readonly (readonly PlacedCell[])[];

/**
 * Number of rows at the top that name the columns: those of a `thead`; without one, the first rows of header cells, or the row above a
 * column of header cells.
 */
function countHeaderRows(rows: Rows): number {
  const inHead = rows.findIndex(([cell]) => !isNamed(cell?.element.parentElement?.parentElement, 'THEAD'));
  const heads = inHead === -1 ? rows.length : inHead;
  // A `thead` without a body is written as rows: its first row is the header.
  if (heads > 0) return heads === rows.length ? 1 : heads;
  const [top] = rows;
  if (top === undefined || (top.length === 1 && rows.length === 1)) return 0;
  const firstOther = rows.findIndex((row, at) => !isHeader(row, at));
  if (firstOther > 0) return firstOther;
  if (firstOther === -1) return 1;
  return isAboveHeaders(rows) ? 1 : 0;
}

/** Only header cells, except for the corners, which are often empty data cells. */
function isHeader(row: readonly PlacedCell[], at: number): boolean {
  const isHead = ({ element }: PlacedCell) => isNamed(element, 'TH');
  const first = row.findIndex(isHead);
  const last = at === 0 && row.filter(isHead).length > 1 ? row.findLastIndex(isHead) : row.length;
  return first !== -1 && row.every((cell, place) => isHead(cell) || ((place < first || place > last) && isEmpty(cell.element)));
}

/** A first row without header cells, or with header cells at its end only, while every other row begins with one. */
function isAboveHeaders([top = [], ...others]: Rows): boolean {
  if (top.length < 2 || top[0]?.column !== 0 || isNamed(top[0].element, 'TH')) return false;
  return others.length > 0 && others.every(([first]) => first !== undefined && (first.column > 0 || isNamed(first.element, 'TH')));
}

function isEmpty(cell: Element): boolean {
  return textOf(cell).trim() === '' && findAll(cell, 'IMG').length === 0;
}
