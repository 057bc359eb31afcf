import type { Builder } from './builder.js';
import { childrenOf, hasContent, isNamed } from './elements.js';
import { labelled } from './lists.js';

export interface RowCell {
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
export function rowItem(builder: Builder, cells: readonly RowCell[], separator: string): Element {
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
    const name = label.length === 0 ? [] : [labelled(builder, label)];
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
    line.push(...(named ? [labelled(builder, simple.flatMap(withoutBold))] : simple));
  }
  endLine();
  return builder.make('li', parts);
}

function withoutBold(node: Node): readonly Node[] {
  return isNamed(node, 'B', 'STRONG') ? childrenOf(node) : [node];
}
