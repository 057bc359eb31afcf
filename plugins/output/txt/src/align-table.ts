import stringWidth from 'string-width';
import type { TableCell } from './read-table.js';

/** A cell with its text. */
export type FilledCell = Pick<TableCell, 'row' | 'column' | 'colspan' | 'align'> & { readonly lines: readonly string[] };

const BETWEEN = '  ';

/** Maximum terminal columns of an aligned table; in a wider one, padding would tear its text apart. */
const MAX_WIDTH = 160;

/** The rows of a table as lines: with aligned columns, or cell by cell if they are too wide. */
export function alignTable(cells: readonly FilledCell[]): readonly string[] {
  const columns = largest(cells.map(({ column, colspan }) => column + colspan));
  const widths = measureColumns(cells, columns);
  const rows = groupRows(cells);
  const total = widths.reduce((sum, width) => sum + width + BETWEEN.length, 0);
  return rows.flatMap((row) => (total <= MAX_WIDTH ? alignRow(row, widths) : stackRow(row)));
}

function groupRows(cells: readonly FilledCell[]): readonly (readonly FilledCell[])[] {
  const rows = new Map<number, FilledCell[]>();
  for (const cell of cells) {
    const row = rows.get(cell.row) ?? [];
    row.push(cell);
    rows.set(cell.row, row);
  }
  return [...rows.values()];
}

/** As wide as the widest cell of one column; a wider cell of several columns enlarges its last one. */
function measureColumns(cells: readonly FilledCell[], columns: number): readonly number[] {
  const widths = Array.from({ length: columns }, () => 0);
  for (const { column, colspan, lines } of [...cells].sort((a, b) => a.colspan - b.colspan)) {
    const before = spanWidth(widths, column, colspan - 1) + (colspan > 1 ? BETWEEN.length : 0);
    const last = column + colspan - 1;
    widths[last] = Math.max(widths[last] ?? 0, widthOf(lines) - before);
  }
  return widths;
}

function spanWidth(widths: readonly number[], column: number, count: number): number {
  const spanned = widths.slice(column, column + count);
  return spanned.reduce((sum, width) => sum + width, 0) + BETWEEN.length * Math.max(0, count - 1);
}

/** For any number of numbers: there may be too many for function arguments. */
function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function widthOf(lines: readonly string[]): number {
  return largest(lines.map(measure));
}

/** The width of printable ASCII is its length; other text takes longer to measure. */
function measure(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

function alignRow(row: readonly FilledCell[], widths: readonly number[]): readonly string[] {
  const height = largest(row.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, index) => {
    let line = '';
    let column = 0;
    for (const cell of row) {
      // Positions of cells that span from above stay empty.
      line += widths.slice(column, cell.column).reduce((blank, width) => blank + ' '.repeat(width) + BETWEEN, '');
      line += pad(cell.lines[index] ?? '', spanWidth(widths, cell.column, cell.colspan), cell.align) + BETWEEN;
      column = cell.column + cell.colspan;
    }
    return line.trimEnd();
  }).filter((line) => line !== '');
}

function pad(text: string, width: number, align: string): string {
  const left = width - measure(text);
  if (left <= 0) return text;
  if (align === 'right' || align === 'end') return ' '.repeat(left) + text;
  if (align === 'center') return ' '.repeat(Math.floor(left / 2)) + text + ' '.repeat(Math.ceil(left / 2));
  return text + ' '.repeat(left);
}

/** Short cells side by side, multi-line cells on separate lines. */
function stackRow(row: readonly FilledCell[]): readonly string[] {
  if (row.every(({ lines }) => lines.length <= 1)) {
    const line = row.flatMap(({ lines }) => lines).join(BETWEEN);
    return line === '' ? [] : [line];
  }
  return row.flatMap(({ lines }) => lines);
}
