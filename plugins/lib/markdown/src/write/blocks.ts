import { type Alignment, type Block, type List, numberOf, type Table } from '../tree.js';
import { writeInline, type WriteOptions } from './inline.js';
import { fence } from './pieces.js';

/** The document's Markdown, without a line break at the end. */
export function writeDocument(blocks: readonly Block[], options: WriteOptions): string {
  return writeBlocks(blocks, { ...options, within: 'document', gap: '\n\n' });
}

interface Place extends WriteOptions {
  readonly within: 'document' | 'quotation' | 'item';
  /** Between two blocks: a blank line, except in an item of a tight list. */
  readonly gap: '\n' | '\n\n';
}

function writeBlocks(blocks: readonly Block[], place: Place): string {
  const written: string[] = [];
  let before: Block | undefined;
  let isOther = false;
  for (const block of blocks) {
    isOther = isSameList(before, block) && !isOther;
    const markdown =
      block.kind === 'list' ? writeList(block, place, { isOther }) : writeBlock(block, place, { isFirst: block === blocks[0] });
    if (markdown === '') continue;
    written.push(markdown);
    before = block;
  }
  return written.join(place.gap);
}

/** Two adjacent lists would be parsed as one: the second uses the other marker. */
function isSameList(before: Block | undefined, block: Block): boolean {
  return before?.kind === 'list' && block.kind === 'list' && (before.numbers === undefined) === (block.numbers === undefined);
}

function writeBlock(block: Exclude<Block, List>, place: Place, { isFirst }: { readonly isFirst: boolean }): string {
  switch (block.kind) {
    case 'paragraph':
      return writeInline(block.content, 'paragraph', place);
    case 'heading': {
      const content = writeInline(block.content, 'heading', place);
      return content === '' ? '' : `${'#'.repeat(block.level)} ${content}`;
    }
    case 'code block':
      return fence(block.text, block.language);
    case 'quotation':
      return writeBlocks(block.blocks, { ...place, within: 'quotation', gap: '\n\n' })
        .replace(/^/gm, '> ')
        .replace(/^> $/gm, '>');
    case 'table':
      return writeTable(block, place);
    case 'break':
      // A line of hyphens would begin a document's metadata, underline a heading, or be a list item.
      return place.within === 'item' || (place.within === 'document' && isFirst) ? '***' : '---';
  }
}

function writeList(list: List, place: Place, { isOther }: { readonly isOther: boolean }): string {
  const gap = list.loose ? '\n\n' : '\n';
  return list.items
    .map((item, at) => {
      const marker = markerOf(list, at, { isOther });
      const content = writeBlocks(item, { ...place, within: 'item', gap });
      return `${marker} ${content.replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length + 1)}`)}`.trimEnd();
    })
    .join(gap);
}

function markerOf({ numbers }: List, at: number, { isOther }: { readonly isOther: boolean }): string {
  if (numbers === undefined) return isOther ? '*' : '-';
  return `${String(numberOf(numbers, at))}${isOther ? ')' : '.'}`;
}

const RULERS: Readonly<Record<Alignment, string>> = { left: ':--', center: ':-:', right: '--:', none: '---' };

/** GFM 4.10. A table without a header gets an empty one, because GFM requires it. */
function writeTable({ alignments, header, rows }: Table, options: WriteOptions): string {
  const write = (content: Parameters<typeof writeInline>[0]) => ` ${writeInline(content, 'cell', options)} |`;
  return [
    `|${header.map(write).join('')}`,
    `|${alignments.map((alignment) => ` ${RULERS[alignment]} |`).join('')}`,
    ...rows.map((row) => `|${row.map(({ content, empty }) => write(content) + '  |'.repeat(empty)).join('')}`),
  ].join('\n');
}
