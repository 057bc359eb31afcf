import type { Builder } from './builder.js';
import { childrenOf, hasContent, isNamed } from './elements.js';
import { labelled } from './lists.js';

export interface RowCell {
  /** The column's, empty where it has none. */
  readonly label: string;
  /** A header of its row. */
  readonly isHeader: boolean;
  readonly blocks: readonly Element[];
}

/** A row as an item: `**Name:** Ada; **Born:** 1815`. A header of the row without a column's name is itself the name of what follows. */
export function rowItem(builder: Builder, cells: readonly RowCell[]): Element {
  const line: Node[] = [];
  const after: Element[] = [];
  let named = false;
  // Two columns without names are most often names and values.
  const isPair = cells.length === 2 && cells.every(({ label }) => label === '');
  for (const { label, isHeader, blocks } of cells) {
    const [first] = blocks;
    if (first === undefined) continue;
    const simple = blocks.length === 1 && isNamed(first, 'P') ? childrenOf(first) : undefined;
    if (simple === undefined) {
      after.push(
        ...(label === '' ? blocks : [builder.make('p', [labelled(builder, [builder.text(label)])], { anonymous: '' }), ...blocks]),
      );
      continue;
    }
    if (line.length > 0) line.push(builder.text(named ? ' ' : isPair ? ': ' : '; '));
    named = isHeader && label === '' && simple.some(hasContent);
    if (label !== '') line.push(labelled(builder, [builder.text(label)]), builder.text(' '));
    line.push(...(named ? [labelled(builder, simple.flatMap(withoutBold))] : simple));
  }
  const lead = line.length > 0 ? [builder.make('p', line, { anonymous: '' })] : [];
  return builder.make('li', [...lead, ...after]);
}

function withoutBold(node: Node): readonly Node[] {
  return isNamed(node, 'B', 'STRONG') ? childrenOf(node) : [node];
}
