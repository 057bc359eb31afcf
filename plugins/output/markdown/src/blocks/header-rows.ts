import { findAll, isNamed, textOf } from './elements.js';
import type { PlacedCell } from './place-cells.js';

type Rows = readonly (readonly PlacedCell[])[];

/**
 * Number of rows at the top that name the columns: those of a `thead`; without one, the first rows of header cells, or the row above a
 * column of header cells.
 */
export function countHeaderRows(rows: Rows): number {
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
