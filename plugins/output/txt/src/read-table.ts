import { childElements, type ElementNode, type HtmlNode } from './html-nodes.js';

/** One cell in its place of the grid. */
export interface TableCell {
  readonly row: number;
  readonly column: number;
  readonly colspan: number;
  readonly rowspan: number;
  readonly align: string;
  readonly nodes: readonly HtmlNode[];
}

/** What no table of any use exceeds: a cell may say that it spans a million columns. */
const MAX_SPAN = 1000;

/** The cells of a table on its grid (WHATWG HTML, "forming a table"): a cell takes the next place that none above reaches down to. */
export function readTable(table: ElementNode): readonly TableCell[] {
  const cells: TableCell[] = [];
  // Column by column, the first row that is free again.
  const free: number[] = [];
  for (const [row, element] of rowsOf(table).entries()) {
    let column = 0;
    for (const { attribs, childNodes } of childElements(element, 'td', 'th')) {
      while ((free[column] ?? 0) > row) column += 1;
      const colspan = spanOf(attribs['colspan']);
      const rowspan = spanOf(attribs['rowspan']);
      for (let within = 0; within < colspan; within += 1) free[column + within] = row + rowspan;
      cells.push({ row, column, colspan, rowspan, align: attribs['align'] ?? '', nodes: childNodes });
      column += colspan;
    }
  }
  return cells;
}

/** The foot stands below, wherever it is written. */
function rowsOf(table: ElementNode): readonly ElementNode[] {
  const within = (name: string) => childElements(table, name).flatMap((group) => childElements(group, 'tr'));
  const middle = childElements(table, 'tr', 'tbody').flatMap((child) => (child.name === 'tr' ? [child] : childElements(child, 'tr')));
  return [...within('thead'), ...middle, ...within('tfoot')];
}

function spanOf(text: string | undefined): number {
  const span = Number.parseInt(text ?? '', 10);
  return span > 0 ? Math.min(span, MAX_SPAN) : 1;
}
