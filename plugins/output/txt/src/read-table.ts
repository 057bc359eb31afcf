import { childElements, type ElementNode, type HtmlNode } from './html-nodes.js';

/** One cell at its position in the grid. */
export interface TableCell {
  readonly row: number;
  readonly column: number;
  readonly colspan: number;
  readonly rowspan: number;
  readonly align: string;
  readonly nodes: readonly HtmlNode[];
}

/** Limit that no useful table exceeds: a cell may declare a span of a million columns. */
const MAX_SPAN = 1000;
const MAX_ROWSPAN = 65_534;

/** The cells of a table on its grid (WHATWG HTML, "forming a table"): a cell takes the next position that no cell above spans. */
export function readTable(table: ElementNode): readonly TableCell[] {
  const cells: TableCell[] = [];
  // Column by column, the first row that is free again.
  const free: number[] = [];
  for (const { row, element, groupEnd } of rowsOf(table)) {
    let column = 0;
    for (const { attribs, childNodes } of childElements(element, 'td', 'th')) {
      while ((free[column] ?? 0) > row) column += 1;
      const colspan = spanOf(attribs['colspan']);
      // No cell extends beyond its group; 0 means: to its end.
      const rowspan = Math.min(rowspanOf(attribs['rowspan']), groupEnd - row);
      for (let within = 0; within < colspan; within += 1) free[column + within] = row + rowspan;
      cells.push({ row, column, colspan, rowspan, align: attribs['align'] ?? '', nodes: childNodes });
      column += colspan;
    }
  }
  return cells;
}

interface TableRow {
  readonly row: number;
  readonly element: ElementNode;
  /** The first row after its group (`thead`, `tbody`, `tfoot`, or the rows between those). */
  readonly groupEnd: number;
}

/** The foot is at the bottom, wherever it is in the source. */
function rowsOf(table: ElementNode): readonly TableRow[] {
  const within = (name: string) => childElements(table, name).map((group) => childElements(group, 'tr'));
  const middle: ElementNode[][] = [];
  let loose: ElementNode[] | undefined;
  for (const child of childElements(table, 'tr', 'tbody')) {
    if (child.name === 'tbody') {
      middle.push([...childElements(child, 'tr')]);
      loose = undefined;
    } else if (loose === undefined) middle.push((loose = [child]));
    else loose.push(child);
  }
  let start = 0;
  return [...within('thead'), ...middle, ...within('tfoot')].flatMap((group) => {
    const first = start;
    start += group.length;
    return group.map((element, at) => ({ row: first + at, element, groupEnd: first + group.length }));
  });
}

function rowspanOf(text: string | undefined): number {
  return Number.parseInt(text ?? '', 10) === 0 ? MAX_ROWSPAN : spanOf(text, MAX_ROWSPAN);
}

function spanOf(text: string | undefined, most = MAX_SPAN): number {
  const span = Number.parseInt(text ?? '', 10);
  return span > 0 ? Math.min(span, most) : 1;
}
