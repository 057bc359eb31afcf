import type { BlockReader, Builder } from './builder.js';
import { codeLanguage, codeText, listingInTable } from './code.js';
import { childrenOf, elementsIn, isHeading, isNamed, textOf, findAll } from './elements.js';
import { rowList, type GridPlace } from './row-list.js';
import { readGrid, type Grid } from './table-grid.js';

export interface TablePlace {
  readonly table: Element;
  readonly depth: number;
}

/**
 * A table: in GFM a table; otherwise a list of its rows with each cell labeled by its column, because CommonMark has no tables, and a table
 * in HTML is unreadable and few renderers show it. The same applies to a table with mostly empty positions. A layout table is replaced by
 * its content.
 */
export function tableBlocks(builder: Builder, read: BlockReader, { table, depth }: TablePlace): readonly Element[] {
  const code = listingInTable(table);
  if (code !== undefined) {
    const text = codeText(code);
    return text.trim() === '' ? [] : [builder.make('pre', [builder.text(text)], { language: codeLanguage(code) })];
  }
  const captions = elementsIn(table).filter((child) => isNamed(child, 'CAPTION'));
  const caption = captions.flatMap((one) => read(one, depth + 1));
  const grid = readGrid(table);
  if (grid.rows.length === 0) return caption;
  if (isLayout(table, grid)) {
    return [...caption, ...grid.rows.flatMap(({ cells }) => cells.flatMap(({ element }) => read(element, depth + 1)))];
  }
  // A table cell can contain only lines: a nested table is written as its rows in both formats.
  for (const inner of findAll(table, 'TABLE')) inner.setAttribute(IN_CELL, '');
  return [
    ...caption,
    ...(builder.gfm && !grid.sparse && !table.hasAttribute(IN_CELL)
      ? pipeTable(builder, read, { grid, depth })
      : rowList(builder, read, { grid, depth })),
  ];
}

const IN_CELL = 'in-cell';

/** A layout table: declared as such, made of tables, a single column, or with blocks in its cells and no header. */
function isLayout(table: Element, grid: Grid): boolean {
  const { rows, columns, header } = grid;
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none') return true;
  const headed = header.length > 0 || rows.some(({ cells }) => cells.some(({ element }) => isNamed(element, 'TH')));
  const inner = findAll(table, 'TABLE');
  if (inner.length > 0 && (columns === 1 || (!headed && isMadeOf(table, inner, grid)))) return true;
  if (headed) return false;
  return columns === 1 || rows.some(({ cells }) => cells.some(({ element }) => hasLargeBlocks(element)));
}

/** Without a header: most of its text is in nested tables, or those have their own row or column. */
function isMadeOf(table: Element, inner: readonly Element[], { rows }: Grid): boolean {
  const outermost: Element[] = [];
  for (const one of inner) if (outermost.at(-1)?.contains(one) !== true) outermost.push(one);
  const length = (element: Element) => textOf(element).replace(/\s+/g, '').length;
  return rows.length === 1 || outermost.reduce((sum, one) => sum + length(one), 0) * 2 > length(table);
}

const LARGE = ['PRE', 'UL', 'OL', 'BLOCKQUOTE', 'HR', 'FIGURE', 'ARTICLE', 'SECTION', 'FORM', 'DL'];

function hasLargeBlocks(cell: Element): boolean {
  const inner = findAll(cell);
  return (
    inner.some((element) => isHeading(element) || isNamed(element, ...LARGE)) || inner.filter((element) => isNamed(element, 'P')).length > 1
  );
}

function pipeTable(builder: Builder, read: BlockReader, { grid, depth }: GridPlace): readonly Element[] {
  const labels = grid.header;
  const head = builder.make(
    'tr',
    grid.alignments.map((_, column) =>
      builder.make('th', labels[column]?.flatMap((label, at) => [...(at > 0 ? [builder.text(' ')] : []), ...label]) ?? []),
    ),
  );
  const rows = grid.rows
    .filter(({ isHeader }) => !isHeader)
    .map(({ cells }) => {
      const starts = [...cells.map(({ column }) => column), grid.columns];
      const written = cells.flatMap(({ element }, at) => [
        builder.make('td', cellContent(builder, read(element, depth + 1))),
        ...emptyCells(builder, (starts[at + 1] ?? 0) - (starts[at] ?? 0) - 1),
      ]);
      return builder.make('tr', [...emptyCells(builder, starts[0] ?? 0), ...written]);
    });
  return [builder.make('table', [head, ...rows], { align: grid.alignments.join(' ') })];
}

/** Shares one element, because there may be far more of these than of others. */
function emptyCells(builder: Builder, count: number): readonly Element[] {
  return count === 0 ? [] : [builder.make('td', [], { columns: String(count) })];
}

/** A cell cannot contain blocks: they are joined by line breaks. */
function cellContent(builder: Builder, blocks: readonly Element[]): readonly Node[] {
  return blocks.flatMap((block) => blockLines(builder, block)).flatMap((line, at) => [...(at > 0 ? [builder.make('br')] : []), ...line]);
}

function blockLines(builder: Builder, block: Element): readonly (readonly Node[])[] {
  if (isNamed(block, 'PRE'))
    return textOf(block)
      .split('\n')
      .map((line) => (line.trim() === '' ? [] : [builder.make('code', [builder.text(line)])]));
  if (isNamed(block, 'HR')) return [];
  if (isNamed(block, 'UL', 'OL')) {
    return elementsIn(block).flatMap((item, at) => {
      const marker = isNamed(block, 'OL') ? `${String(Number(block.getAttribute('start') ?? '1') + at)}. ` : '- ';
      const [first = [], ...others] = elementsIn(item).flatMap((inner) => blockLines(builder, inner));
      return [[builder.text(marker), ...first], ...others];
    });
  }
  if (isNamed(block, 'BLOCKQUOTE')) return elementsIn(block).flatMap((inner) => blockLines(builder, inner));
  return [isHeading(block) ? [builder.make('strong', childrenOf(block))] : childrenOf(block)];
}
