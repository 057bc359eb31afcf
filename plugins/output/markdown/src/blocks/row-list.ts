import type { BlockReader, Builder } from './builder.js';
import { childrenOf, elementsIn, findAll, hasContent, isElement, isNamed, isText } from './elements.js';
import { isLoose, labeled, plainTerm } from './lists.js';
import type { Grid, GridCell } from './table-grid.js';

/** Maximum characters of a repeated column name: it precedes each of its cells. */
const MOST_AGAIN = 80;

const MORE = ['A', 'IMG', 'MATH'];

export interface GridPlace {
  readonly grid: Grid;
  readonly depth: number;
}

/** A table as a list of its rows. A column without values is named in the first row; without rows, all columns are named there. */
export function rowList(builder: Builder, read: BlockReader, { grid, depth }: GridPlace): readonly Element[] {
  const readCell = ({ element, column }: GridCell) => ({ column, isHeader: isNamed(element, 'TH'), blocks: read(element, depth + 1) });
  const rows = grid.rows
    .filter(({ isHeader }) => !isHeader)
    .map(({ cells, above }) =>
      byColumn([...cells, ...above])
        .map(readCell)
        .filter(({ blocks }) => blocks.length > 0),
    )
    .filter((row) => row.length > 0);
  const used = new Set(rows.flatMap((row) => row.map(({ column }) => column)));
  const unused = grid.header.flatMap((content, column) =>
    content.length === 0 || used.has(column) ? [] : [{ column, isHeader: false, blocks: [] }],
  );
  const label = createColumnLabels(builder, grid.header);
  const isPair = grid.columns === 2 && grid.header.length === 0;
  const items = rows.map((row, at) => {
    const cells = at === 0 ? byColumn([...row, ...unused]) : row;
    return rowItem(
      builder,
      cells.map(({ column, ...cell }) => ({ ...cell, label: label(column) })),
      isPair ? ': ' : '; ',
    );
  });
  if (rows.length === 0 && unused.length > 0)
    items.push(
      namesItem(
        builder,
        unused.map(({ column }) => label(column)),
      ),
    );
  if (items.length === 0) return [];
  const list = builder.make('ul', items);
  if (items.some((item) => isLoose(elementsIn(item)))) list.setAttribute('loose', '');
  return [list];
}

function byColumn<C extends { readonly column: number }>(cells: readonly C[]): readonly C[] {
  return [...cells].sort((a, b) => a.column - b.column);
}

function namesItem(builder: Builder, labels: readonly (readonly Node[])[]): Element {
  const names = labels.flatMap((label, at) => [...(at > 0 ? [builder.text('; ')] : []), builder.make('strong', label)]);
  return builder.make('li', [builder.make('p', names, { anonymous: '' })]);
}

interface RowCell {
  /** The column's name, empty if it has none. */
  readonly label: readonly Node[];
  /** A header cell of its row. */
  readonly isHeader: boolean;
  /** Empty: only the label is written. */
  readonly blocks: readonly Element[];
}

/**
 * A row as an item: `**Name:** Ada; **Born:** 1815`, with separate blocks for cells that contain blocks, all in order. A row header without
 * a column name labels the content after it.
 */
function rowItem(builder: Builder, cells: readonly RowCell[], separator: string): Element {
  const parts: Element[] = [];
  let line: Node[] = [];
  let named = false;
  const endLine = () => {
    if (line.length > 0) parts.push(builder.make('p', line, { anonymous: '' }));
    line = [];
    named = false;
  };
  for (const { label, isHeader, blocks } of cells) {
    const [first] = blocks;
    const name = label.length === 0 ? [] : [labeled(builder, label)];
    const simple = first === undefined ? [] : blocks.length === 1 && isNamed(first, 'P') ? childrenOf(first) : undefined;
    if (simple === undefined) {
      endLine();
      line.push(...name);
      endLine();
      parts.push(...blocks);
      continue;
    }
    if (line.length > 0) line.push(builder.text(named ? ' ' : separator));
    named = isHeader && label.length === 0 && simple.some(hasContent);
    line.push(...name, ...(name.length > 0 && simple.length > 0 ? [builder.text(' ')] : []));
    line.push(...(named ? [labeled(builder, simple.flatMap(withoutBold))] : simple));
  }
  endLine();
  return builder.make('li', parts);
}

function withoutBold(node: Node): readonly Node[] {
  return isNamed(node, 'B', 'STRONG') ? childrenOf(node) : [node];
}

/** Returns a column's name: with links and images the first time, later as plain words. Empty: it has no name. */
function createColumnLabels(builder: Builder, header: readonly (readonly (readonly Node[])[])[]): (column: number) => readonly Node[] {
  const again = new Map<number, string>();
  return (column) => {
    const known = again.get(column);
    if (known !== undefined) return known === '' ? [] : [builder.text(known)];
    const content = (header[column] ?? []).flatMap((label, at) => [...(at > 0 ? [builder.text(' ')] : []), ...label]);
    const words = content.map(wordsOf).join('').replace(/\s+/g, ' ').trim();
    again.set(column, shorten(words));
    if (content.some(saysMore)) return inOneLine(builder, content);
    return words === '' ? [] : [builder.text(words)];
  };
}

function wordsOf(node: Node): string {
  if (isNamed(node, 'BR')) return ' ';
  if (isNamed(node, 'IMG')) return node.getAttribute('alt') ?? '';
  return isText(node) ? node.data : childrenOf(node).map(wordsOf).join('');
}

function shorten(words: string): string {
  if (words.length <= MOST_AGAIN) return words;
  const whole = new RegExp(`^.{1,${String(MOST_AGAIN - 1)}}(?=\\s)`, 'su').exec(words)?.[0];
  return `${
    whole ??
    Array.from(words.slice(0, 2 * MOST_AGAIN))
      .slice(0, MOST_AGAIN - 1)
      .join('')
  }…`;
}

function saysMore(node: Node): boolean {
  return isElement(node) && (isNamed(node, ...MORE) || findAll(node, ...MORE).length > 0);
}

/** Without bold parts and line breaks: the name is bold as a whole and on one line. */
function inOneLine(builder: Builder, content: readonly Node[]): readonly Node[] {
  const holder = builder.make('span', content);
  for (const lineBreak of findAll(holder, 'BR')) lineBreak.parentNode?.replaceChild(builder.text(' '), lineBreak);
  const nodes = [...plainTerm(builder, holder)];
  const isBlank = (node: Node | undefined) => node !== undefined && isText(node) && node.data.trim() === '';
  while (isBlank(nodes[0])) nodes.shift();
  while (isBlank(nodes.at(-1))) nodes.pop();
  return nodes;
}
