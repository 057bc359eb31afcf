import { serialize } from 'parse5';
import type { Alignment } from '../tree.js';
import { attribute, type Element, findAll, isNamed, parentOf, textOf } from './html.js';
import { placeCells, type PlacedCell, type PlacedCells, type PlacedRows } from './place-cells.js';

export interface GridCell {
  readonly element: Element;
  /** The row and column in which it begins. */
  readonly column: number;
}

export interface GridRow {
  /** Cells that begin in the row, from the left. */
  readonly cells: readonly GridCell[];
  /** Cells that span into the row from above; none if repeating them would be too long. */
  readonly above: readonly GridCell[];
  readonly isHeader: boolean;
}

/** A table as rows and columns. A column in which no cell begins is omitted. */
export interface Grid {
  /** Header cells at the top that span all columns: they name the table, not its columns. */
  readonly titles: readonly Element[];
  readonly rows: readonly GridRow[];
  readonly columns: number;
  /** Most positions of its rows and columns are empty: not a table meant to be read as one. */
  readonly sparse: boolean;
  /** Each column's header cells, from the top; empty if no row is a header. */
  readonly header: readonly (readonly Element[])[];
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
  const { columns } = placed;
  const titles = placed.rows.slice(0, countTitles(placed)).flat();
  const rows = placed.rows.slice(titles.length).map((row) => row.map((cell) => ({ ...cell, row: cell.row - titles.length })));
  const headerRows = countHeaderRows(rows);
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const sparse = rows.length * columns > MOST_PLACES * cells;
  const repeated = sparse ? new Set<PlacedCell>() : repeatedCells(rows, headerRows, cells);
  const header = headerRows === 0 ? [] : headerCells(rows.slice(0, headerRows), columns, repeated);
  const above = copyDown(rows.slice(headerRows), repeated);
  return {
    titles: titles.map(({ element }) => element),
    rows: rows.map((row, at) => ({ cells: row, above: above.get(at) ?? [], isHeader: at < headerRows })),
    columns,
    sparse,
    header,
    alignments: readAlignments(rows, headerRows, columns),
  };
}

/** Repeats headers of several columns and cells of several rows, or none of them if they would be too long in total. */
function repeatedCells(rows: PlacedRows, headerRows: number, cells: number): ReadonlySet<PlacedCell> {
  const repeated = new Set<PlacedCell>();
  let sum = 0;
  for (const cell of rows.flat()) {
    const times = cell.row < headerRows ? cell.width : cell.height;
    if (times === 1) continue;
    const length = serialize(cell.element).length;
    if (length > MOST_REPEATED) continue;
    repeated.add(cell);
    sum += (times - 1) * length;
  }
  return sum > REPEATED_PER_CELL * cells ? new Set() : repeated;
}

/** By row. */
function copyDown(rows: PlacedRows, repeated: ReadonlySet<PlacedCell>): ReadonlyMap<number, readonly GridCell[]> {
  const copies = new Map<number, GridCell[]>();
  for (const cell of rows.flat()) {
    if (!repeated.has(cell)) continue;
    for (let row = cell.row + 1; row < cell.row + cell.height; row += 1) {
      const ofRow = copies.get(row) ?? [];
      ofRow.push({ element: cell.element, column: cell.column });
      copies.set(row, ofRow);
    }
  }
  return copies;
}

/** By column, from the top. */
function headerCells(rows: PlacedRows, columns: number, repeated: ReadonlySet<PlacedCell>): readonly (readonly Element[])[] {
  const header: Element[][] = Array.from({ length: columns }, () => []);
  for (const cell of rows.flat()) {
    if (isEmpty(cell.element)) continue;
    const end = repeated.has(cell) ? cell.column + cell.width : cell.column + 1;
    for (let column = cell.column; column < end; column += 1) header[column]?.push(cell.element);
  }
  return header;
}

/** The alignment that all cells of the column share, else that of its header. */
function readAlignments(rows: PlacedRows, headerRows: number, columns: number): readonly Alignment[] {
  const found: Set<Alignment>[] = Array.from({ length: columns }, () => new Set());
  const heads = new Map<number, Element>();
  for (const { element, row, column } of rows.flat()) {
    if (row < headerRows) heads.set(column, element);
    else if (!isNamed(element, 'th')) found[column]?.add(readAlignment(element));
  }
  return found.map((ofColumn, column) => {
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
  const align = attribute(cell, 'align')?.toLowerCase();
  return align === 'left' || align === 'center' || align === 'right' ? align : 'none';
}

/** The rows at the top that are one cell over all columns: a header, or anything above a row of headers. */
function countTitles({ rows, columns }: PlacedCells): number {
  const spanning = rows.findIndex(([cell]) => cell?.width !== columns);
  if (columns === 1 || isHeader(rows[spanning] ?? [], spanning)) return columns === 1 ? 0 : spanning;
  return rows.findIndex(([cell], at) => at === spanning || (!isNamed(cell?.element, 'th') && !isInHead(cell)));
}

/**
 * Number of rows at the top that name the columns: those of a `thead`; without one, the first rows of header cells, or the row above a
 * column of header cells.
 */
function countHeaderRows(rows: PlacedRows): number {
  const inHead = rows.findIndex(([cell]) => !isInHead(cell));
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

function isInHead(cell: PlacedCell | undefined): boolean {
  const row = cell === undefined ? undefined : parentOf(cell.element);
  return row !== undefined && parentOf(row)?.tagName === 'thead';
}

/** Only header cells, except for the corners, which are often empty data cells. */
function isHeader(row: readonly PlacedCell[], at: number): boolean {
  const isHead = ({ element }: PlacedCell) => isNamed(element, 'th');
  const first = row.findIndex(isHead);
  const last = at === 0 && row.filter(isHead).length > 1 ? row.findLastIndex(isHead) : row.length;
  return first !== -1 && row.every((cell, place) => isHead(cell) || ((place < first || place > last) && isEmpty(cell.element)));
}

/** A first row without header cells, or with header cells at its end only, while every other row begins with one. */
function isAboveHeaders([top = [], ...others]: PlacedRows): boolean {
  if (top.length < 2 || top[0]?.column !== 0 || isNamed(top[0].element, 'th')) return false;
  return others.length > 0 && others.every(([first]) => first !== undefined && (first.column > 0 || isNamed(first.element, 'th')));
}

export function isEmpty(cell: Element): boolean {
  return textOf(cell).trim() === '' && findAll(cell, 'img', 'input').length === 0;
}
