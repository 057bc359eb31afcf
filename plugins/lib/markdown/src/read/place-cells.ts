import { attribute, childElements, type Element } from './html.js';

export interface PlacedCell {
  readonly element: Element;
  /** The row and the column in which it begins. */
  readonly row: number;
  readonly column: number;
  /** The number of rows and columns that it spans. */
  readonly width: number;
  readonly height: number;
}

/** Rows in which a cell begins, each from the left. */
export type PlacedRows = readonly (readonly PlacedCell[])[];

export interface PlacedCells {
  readonly rows: PlacedRows;
  /** Columns in which a cell begins. */
  readonly columns: number;
}

/** The standard's limits for a cell's spans (4.9.11). */
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;

/** Positions of a table's cells. Rows and columns in which no cell begins are omitted: they carry no information. */
export function placeCells(table: Element): PlacedCells {
  const placed: PlacedCell[] = [];
  // By column, the first row that is free again.
  const free: number[] = [];
  const trs = rowsOf(table);
  const ends = groupEnds(trs);
  trs.forEach((tr, row) => {
    let column = 0;
    for (const element of childElements(tr, 'td', 'th')) {
      while ((free[column] ?? 0) > row) column += 1;
      const width = span(element, 'colspan', MOST_COLUMNS - column);
      // No cell extends beyond this row, which limits the columns that a row has to skip.
      const height = column < MOST_COLUMNS ? span(element, 'rowspan', (ends[row] ?? row + 1) - row) : 1;
      if (height > 1) for (let right = column; right < column + width; right += 1) free[right] = row + height;
      placed.push({ element, row, column, width, height });
      column += width;
    }
  });
  return closeUp(placed);
}

/** In display order: head, bodies, foot. */
function rowsOf(table: Element): readonly Element[] {
  const of = (...names: readonly string[]) =>
    childElements(table, ...names).flatMap((part) => (part.tagName === 'tr' ? [part] : childElements(part, 'tr')));
  return [...of('thead'), ...of('tbody', 'tr'), ...of('tfoot')];
}

/** The first row after each row's group: no cell extends beyond it. */
function groupEnds(trs: readonly Element[]): readonly number[] {
  const ends: number[] = [];
  for (let row = trs.length - 1; row >= 0; row -= 1) {
    const end = ends[row + 1];
    ends[row] = end === undefined || trs[row]?.parentNode !== trs[row + 1]?.parentNode ? row + 1 : end;
  }
  return ends;
}

function span(cell: Element, name: string, most: number): number {
  const count = Number.parseInt(attribute(cell, name) ?? '1', 10);
  if (count === 0 && name === 'rowspan') return Math.min(MOST_ROWS, most);
  return Math.max(1, Math.min(Number.isNaN(count) ? 1 : count, most, MOST_ROWS));
}

/** The rows and columns in which a cell begins, renumbered. */
function closeUp(placed: readonly PlacedCell[]): PlacedCells {
  const rowsBefore = countBegun(placed.map(({ row }) => row));
  const columnsBefore = countBegun(placed.map(({ column }) => column));
  const rows: PlacedCell[][] = [];
  for (const { element, row, column, width, height } of placed) {
    const place = { row: rowsBefore(row), column: columnsBefore(column) };
    const size = { width: columnsBefore(column + width) - place.column, height: rowsBefore(row + height) - place.row };
    (rows[place.row] ??= []).push({ element, ...place, ...size });
  }
  return { rows, columns: columnsBefore(Infinity) };
}

/** Returns the number of distinct start positions before a position. */
function countBegun(begins: readonly number[]): (place: number) => number {
  const sorted = [...new Set(begins)].sort((a, b) => a - b);
  const counts = new Map(sorted.map((place, count) => [place, count]));
  return (place) => counts.get(place) ?? lowerBound(sorted, place);
}

function lowerBound(sorted: readonly number[], place: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle] ?? Infinity) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
