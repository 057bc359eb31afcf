import { inOneLine } from '../tidy.js';
import { type Block, contains, type Inline, isVisible, type List, text, withoutBold, wordsOf } from '../tree.js';
import { type Element, isNamed } from './html.js';
import { labeled, listOf } from './lists.js';
import { readText } from './maths.js';
import { paragraphs, type Reader } from './reader.js';
import type { Grid, GridCell } from './table-grid.js';

/** A table as a list of its rows. A column without values is named in the first row; without rows, all columns are named there. */
export function readRows(grid: Grid, reader: Reader): readonly List[] {
  const rows = grid.rows
    .filter(({ isHeader }) => !isHeader)
    .map(({ cells, above }) => byColumn([...cells, ...above]).map((cell) => readCell(cell, reader)))
    .map((row) => row.filter(({ blocks }) => blocks.length > 0))
    .filter((row) => row.length > 0);
  const used = new Set(rows.flatMap((row) => row.map(({ column }) => column)));
  const unused = grid.header.flatMap((cells, column) =>
    cells.length === 0 || used.has(column) ? [] : [{ column, isHeader: false, blocks: [] }],
  );
  const nameOf = createColumnNames(grid, reader);
  if (rows.length === 0) return listOf([paragraphs(namesOf(unused.map(({ column }) => nameOf(column))))]);
  const separator = grid.columns === 2 && grid.header.length === 0 ? ': ' : '; ';
  return listOf(
    rows.map((row, at) => {
      const cells = at === 0 ? byColumn([...row, ...unused]) : row;
      return rowItem(
        cells.map((cell) => ({ ...cell, name: nameOf(cell.column) })),
        separator,
      );
    }),
  );
}

function byColumn<C extends { readonly column: number }>(cells: readonly C[]): readonly C[] {
  return [...cells].sort((a, b) => a.column - b.column);
}

interface ReadCell {
  readonly column: number;
  /** A header cell of its row. */
  readonly isHeader: boolean;
  /** Empty: only the column's name is written. */
  readonly blocks: readonly Block[];
}

function readCell({ element, column }: GridCell, reader: Reader): ReadCell {
  return { column, isHeader: isNamed(element, 'th'), blocks: reader.cell(element) };
}

function namesOf(names: readonly (readonly Inline[])[]): readonly Inline[] {
  return names.flatMap((children, at) => [...(at > 0 ? [text('; ')] : []), { kind: 'strong', children }]);
}

interface RowCell extends ReadCell {
  /** The column's name, empty if it has none. */
  readonly name: readonly Inline[];
}

/**
 * A row as an item: `**Name:** Ada; **Born:** 1815`, with separate blocks for cells that contain blocks, all in order. A row header without
 * a column name labels the content after it.
 */
function rowItem(cells: readonly RowCell[], separator: string): readonly Block[] {
  const item: Block[] = [];
  let line: Inline[] = [];
  let isLabeled = false;
  const endLine = () => {
    item.push(...paragraphs(line));
    line = [];
    isLabeled = false;
  };
  for (const { name, isHeader, blocks } of cells) {
    const [first] = blocks;
    const label = name.length === 0 ? [] : [labeled(name)];
    const content = first === undefined ? [] : blocks.length === 1 && first.kind === 'paragraph' ? first.content : undefined;
    if (content === undefined) {
      endLine();
      line.push(...label);
      endLine();
      item.push(...blocks);
      continue;
    }
    if (line.length > 0) line.push(text(isLabeled ? ' ' : separator));
    isLabeled = isHeader && name.length === 0 && content.some(isVisible);
    line.push(...label, ...(label.length > 0 && content.length > 0 ? [text(' ')] : []));
    line.push(...(isLabeled ? [labeled(content)] : content));
  }
  endLine();
  return item;
}

/** Maximum characters of a repeated column name: it precedes each of its cells. */
const MOST_AGAIN = 80;

/** Returns a column's name: with links and images the first time, later as plain words. Empty: it has no name. */
function createColumnNames({ header }: Grid, reader: Reader): (column: number) => readonly Inline[] {
  const again = new Map<number, readonly Inline[]>();
  return (column) => {
    const known = again.get(column);
    if (known !== undefined) return known;
    const content = columnName(header[column] ?? [], reader);
    const words = wordsOf(content, (alt) => alt)
      .replace(/\s+/g, ' ')
      .trim();
    const plain = (name: string) => (name === '' ? [] : readText(name));
    again.set(column, plain(shorten(words)));
    return contains(content, 'link', 'autolink', 'image', 'maths') ? inOneLine(content) : plain(words);
  };
}

/** The contents of a column's header cells, from the top, on one line. */
export function columnName(cells: readonly Element[], reader: Reader): readonly Inline[] {
  return cells.flatMap(({ childNodes }, at) => [...(at > 0 ? [text(' ')] : []), ...withoutBold(reader.inlines(childNodes))]);
}

function shorten(words: string): string {
  if (words.length <= MOST_AGAIN) return words;
  const whole = new RegExp(`^.{1,${String(MOST_AGAIN - 1)}}(?=\\s)`, 'su').exec(words)?.[0];
  const cut = () => Array.from(words.slice(0, 2 * MOST_AGAIN)).slice(0, MOST_AGAIN - 1);
  return `${whole ?? cut().join('')}…`;
}
