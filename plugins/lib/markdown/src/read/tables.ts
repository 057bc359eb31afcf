import { type Block, type Inline, numberOf, text } from '../tree.js';
import { childElements, type Element, findAll, isElement, isNamed, named, textOf } from './html.js';
import { paragraphs, type Reader, type Rule } from './reader.js';
import { columnName, readRows } from './row-list.js';
import { type Grid, type GridRow, isEmpty, readGrid } from './table-grid.js';

/** A table with its caption before it, in the first form that suits it. */
export const table: Rule<Block> = {
  matches: named('table'),
  convert(element, reader) {
    const grid = readGrid(element);
    const caption = [...childElements(element, 'caption'), ...grid.titles].flatMap(({ childNodes }) => reader.blocks(childNodes));
    const form = FORMS.find(({ matches }) => matches({ element, grid, reader }));
    return form === undefined ? caption : [...caption, ...form.convert({ element, grid, reader })];
  },
};

interface ReadTable {
  readonly element: Element;
  readonly grid: Grid;
  readonly reader: Reader;
}

interface Form {
  matches(table: ReadTable): boolean;
  convert(table: ReadTable): readonly Block[];
}

const FORMS: readonly Form[] = [
  // A layout table is its content.
  {
    matches: isLayout,
    convert: ({ grid, reader }) => grid.rows.flatMap(({ cells }) => cells.flatMap(({ element }) => reader.blocks(element.childNodes))),
  },
  { matches: ({ grid }) => grid.rows.every(({ cells }) => cells.every(({ element }) => isEmpty(element))), convert: () => [] },
  { matches: isEquation, convert: ({ grid, reader }) => grid.rows.flatMap((row) => paragraphs(inlinesOf(row, reader), { spaced: true })) },
  { matches: ({ grid, reader }) => reader.gfm && !grid.sparse && !reader.isInCell(), convert: readPipeTable },
  // CommonMark has no tables, and a table in HTML is unreadable and few renderers show it. A table cell can contain only lines: a nested table
  // is written as its rows, too, and so is a table with mostly empty positions.
  { matches: () => true, convert: ({ grid, reader }) => readRows(grid, reader) },
];

/** Made of tables, a single column, or with blocks in its cells and no header. */
function isLayout({ element, grid: { rows, columns, header } }: ReadTable): boolean {
  const headed = header.length > 0 || rows.some(({ cells }) => cells.some((cell) => isNamed(cell.element, 'th')));
  if (findAll(element, 'table').length > 0 && (columns === 1 || (!headed && (rows.length === 1 || isMostlyTables(element))))) return true;
  return !headed && (columns === 1 || rows.some(({ cells }) => cells.some((cell) => hasLargeBlocks(cell.element))));
}

/** Most of its text is in nested tables. */
function isMostlyTables(element: Element): boolean {
  const length = (one: Element) => textOf(one).replace(/\s+/g, '').length;
  return outermostTables(element).reduce((sum, one) => sum + length(one), 0) * 2 > length(element);
}

function outermostTables({ childNodes }: Element): readonly Element[] {
  return childNodes.filter(isElement).flatMap((child) => (child.tagName === 'table' ? [child] : outermostTables(child)));
}

const LARGE = 'h1 h2 h3 h4 h5 h6 pre ul ol blockquote hr figure article section dl'.split(' ');

function hasLargeBlocks(cell: Element): boolean {
  return findAll(cell, ...LARGE).length > 0 || findAll(cell, 'p').length > 1;
}

/** Only formulas (or images of them) with their numbers and words between, or formulas beside empty cells. */
function isEquation({ grid: { rows } }: ReadTable): boolean {
  const all = rows.map(({ cells }) => cells.map(({ element }) => element));
  const isNumbered = all.flat().some(isNumber);
  const isSetOff = isNumbered || (all.every((cells) => cells.some(isEmpty)) && all.flat().some((cell) => findAll(cell, 'math').length > 0));
  const isPart = (cell: Element) => isEmpty(cell) || isFormula(cell) || isNumber(cell);
  return isSetOff && all.flat().some(isFormula) && all.every((cells) => (isNumbered && cells.length === 1) || cells.every(isPart));
}

function isNumber(cell: Element): boolean {
  return /^\s*[([][\p{L}\p{N}.*′'–-]{1,12}[)\]]\s*$/u.test(textOf(cell));
}

/** Nothing but formulas and punctuation. */
function isFormula(cell: Element): boolean {
  const maths = findAll(cell, 'math', 'img');
  const rest = maths.reduce((words, math) => words.replace(textOf(math), ''), textOf(cell));
  return maths.length > 0 && cell.tagName === 'td' && /^[\s\p{P}]*$/u.test(rest);
}

function inlinesOf({ cells }: GridRow, reader: Reader): readonly Inline[] {
  return cells.flatMap(({ element }) => [text(' '), ...reader.inlines(element.childNodes)]);
}

function readPipeTable({ grid, reader }: ReadTable): readonly Block[] {
  const { columns, alignments } = grid;
  const header = alignments.map((_, column) => columnName(grid.header[column] ?? [], reader));
  const rows = grid.rows
    .filter(({ isHeader }) => !isHeader)
    .map(({ cells }) => {
      const first = cells[0]?.column ?? columns;
      const written = cells.map(({ element, column }, at) => ({
        content: cellContent(reader.cell(element)),
        empty: (cells[at + 1]?.column ?? columns) - column - 1,
      }));
      return first === 0 ? written : [{ content: [], empty: first - 1 }, ...written];
    });
  return [{ kind: 'table', alignments, header, rows }];
}

/** A cell cannot contain blocks: they are joined by line breaks. */
function cellContent(blocks: readonly Block[]): readonly Inline[] {
  return blocks.flatMap(cellLines).flatMap((line, at): readonly Inline[] => (at > 0 ? [{ kind: 'break' }, ...line] : line));
}

function cellLines(block: Block): readonly (readonly Inline[])[] {
  switch (block.kind) {
    case 'paragraph':
      return [block.content];
    case 'heading':
      return [[{ kind: 'strong', children: block.content }]];
    case 'code block':
      return block.text.split('\n').map((value) => (value.trim() === '' ? [] : [{ kind: 'code', value }]));
    case 'quotation':
      return block.blocks.flatMap(cellLines);
    case 'list':
      return block.items.flatMap((item, at) => {
        const [first = [], ...others] = item.flatMap(cellLines);
        return [[text(`${block.numbers === undefined ? '-' : `${String(numberOf(block.numbers, at))}.`} `), ...first], ...others];
      });
    default:
      return [];
  }
}
