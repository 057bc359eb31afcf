import type { Builder } from './builder.js';
import { createColumnLabels } from './column-labels.js';
import { elementsIn, isNamed } from './elements.js';
import { isLoose } from './lists.js';
import type { BlockReader } from './restructure.js';
import { rowItem } from './row-item.js';
import type { Grid, GridCell } from './table-grid.js';

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
