import { type Block, type Inline, isVisible, type Paragraph } from '../tree.js';
import { type Element, elementAround, findBlocks, isElement, isNamed, isText, type Node, textOf } from './html.js';
import { readText } from './maths.js';

/** How elements of one sort are read. The first rule of a list that matches applies. No rule depends on another. */
export interface Rule<Result> {
  matches(element: Element, reader: Reader): boolean;
  convert(element: Element, reader: Reader): readonly Result[];
}

export interface Rules {
  /** For elements that are blocks or contain blocks. */
  readonly blocks: readonly Rule<Block>[];
  readonly inlines: readonly Rule<Inline>[];
}

export interface ReadOptions {
  readonly gfm: boolean;
  /** The image's destination in the output. */
  imageAddress(source: string): string;
}

/** Reads parts of a page by the rules. An element without a rule is its content. */
export interface Reader extends ReadOptions {
  blocks(nodes: readonly Node[]): readonly Block[];
  /** As the content of one line. */
  inlines(nodes: readonly Node[]): readonly Inline[];
  /** The content of a table's cell. */
  cell(cell: Element): readonly Block[];
  /** Whether the current element is in a table's cell. */
  isInCell(): boolean;
  isBlock(element: Element): boolean;
}

/** Below this depth only the text remains: no reader distinguishes level 100 from level 101. */
const DEEPEST = 200;

export function createReader(body: Element, rules: Rules, options: ReadOptions): Reader {
  const blocks = findBlocks(body);
  let depth = 0;
  let cells = 0;
  const reader: Reader = {
    ...options,
    isBlock: (element) => blocks.has(element),
    isInCell: () => cells > 0,
    blocks: (nodes) => readBlocks(nodes, { reader, readBlock }),
    inlines(nodes) {
      const inlines: Inline[] = [];
      for (const node of nodes) {
        if (isText(node)) append(inlines, readText(node.value));
        else if (isElement(node)) append(inlines, readInline(node));
      }
      return inlines;
    },
    cell({ childNodes }) {
      cells += 1;
      const content = reader.blocks(childNodes);
      cells -= 1;
      return content;
    },
  };
  const read = <Result>(element: Element, { rules, content, flat }: Reading<Result>) => {
    depth += 1;
    const rule = rules.find(({ matches }) => matches(element, reader));
    const result = depth > DEEPEST ? flat(textOf(element)) : (rule?.convert(element, reader) ?? content(element.childNodes));
    depth -= 1;
    return result;
  };
  const readBlock = (element: Element) =>
    read(element, { rules: rules.blocks, content: reader.blocks, flat: (words) => paragraphs(readText(words)) });
  const readInline = (element: Element) => read(element, { rules: rules.inlines, content: reader.inlines, flat: readText });
  return reader;
}

interface Reading<Result> {
  readonly rules: readonly Rule<Result>[];
  /** For elements without a rule. */
  content(nodes: readonly Node[]): readonly Result[];
  flat(words: string): readonly Result[];
}

interface BlockReader {
  readonly reader: Reader;
  readBlock(element: Element): readonly Block[];
}

/** Text beside blocks is a paragraph; items outside of a list are a list. */
function readBlocks(nodes: readonly Node[], { reader, readBlock }: BlockReader): readonly Block[] {
  const blocks: Block[] = [];
  let line: Node[] = [];
  const endLine = () => {
    append(blocks, paragraphs(reader.inlines(line)));
    line = [];
  };
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (node === undefined) break;
    if (!isElement(node) || !reader.isBlock(node)) {
      line.push(node);
      continue;
    }
    endLine();
    const items = looseItems(nodes, at);
    append(blocks, readBlock(items === undefined ? node : items.list));
    at = items?.last ?? at;
  }
  endLine();
  return blocks;
}

/** Items outside of a list, as a list: the items of one kind from this node on, with the position of the last. */
function looseItems(nodes: readonly Node[], from: number): { readonly list: Element; readonly last: number } | undefined {
  const [list, ...kinds] = isNamed(nodes[from], 'li') ? ['ul', 'li'] : ['dl', 'dt', 'dd'];
  const items: Element[] = [];
  let last = from;
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at];
    if (isNamed(node, ...kinds)) {
      items.push(node);
      last = at;
    } else if (node !== undefined && (isElement(node) || textOf(node).trim() !== '')) break;
  }
  return items.length === 0 ? undefined : { list: elementAround(list, items), last };
}

/** Many pages separate paragraphs by two line breaks. */
export function paragraphs(inlines: readonly Inline[], { spaced = false } = {}): readonly Paragraph[] {
  return splitAtBreaks(inlines)
    .filter((content) => content.some(isVisible))
    .map((content) => ({ kind: 'paragraph', content, spaced }));
}

function splitAtBreaks(inlines: readonly Inline[]): readonly (readonly Inline[])[] {
  const lines: Inline[][] = [[]];
  for (let at = 0; at < inlines.length; at += 1) {
    const inline = inlines[at];
    if (inline === undefined) break;
    let end = at;
    for (let next = at; inline.kind === 'break' && isBlank(inlines[next]); next += 1) if (inlines[next]?.kind === 'break') end = next;
    if (end > at) lines.push([]);
    else lines.at(-1)?.push(inline);
    at = end;
  }
  return lines;
}

function isBlank(inline: Inline | undefined): boolean {
  return inline?.kind === 'break' || (inline?.kind === 'text' && inline.value.trim() === '');
}

/** Not by spreading: a document may have more parts than a call may have arguments. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}
