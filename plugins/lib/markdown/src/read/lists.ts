import { inOneLine } from '../tidy.js';
import { type Block, type Inline, isVisible, type List, type Numbers, text, wordsOf } from '../tree.js';
import { attribute, childElements, type Element, isElement, isNamed, named, type Node, textOf } from './html.js';
import { paragraphs, type Reader, type Rule } from './reader.js';

export const list: Rule<Block> = { matches: named('ul', 'ol', 'menu'), convert: readList };

/** CommonMark has no definition lists: an item for each group, its terms in bold before their definitions. */
export const definitionList: Rule<Block> = { matches: named('dl'), convert: readDefinitions };

/** Nothing if all items are empty. */
export function listOf(items: readonly (readonly Block[])[], numbers?: Numbers, loose = items.some(isLoose)): readonly List[] {
  return items.every((item) => item.length === 0) ? [] : [{ kind: 'list', numbers, loose, items }];
}

/** Markdown numbers are consecutive: at a gap a new list begins. */
function readList(element: Element, reader: Reader): readonly List[] {
  const items = gatherItems(element)
    .map(({ nodes, value }) => ({ value, blocks: withTask(reader.blocks(nodes), reader) }))
    .filter(({ value, blocks }) => value !== undefined || blocks.length > 0);
  const contents = items.map(({ blocks }) => blocks);
  if (element.tagName !== 'ol') return listOf(contents);
  const loose = contents.some(isLoose);
  const step = attribute(element, 'reversed') === undefined ? 1 : -1;
  const first = Number.parseInt(attribute(element, 'start') ?? '', 10);
  const start = Number.isNaN(first) ? (step < 0 ? items.length : 1) : first;
  return splitAtGaps(items, { start, step }).flatMap((run) =>
    listOf(run.items, numbering({ start: run.start, step }, run.items.length), loose),
  );
}

interface Item {
  readonly nodes: Node[];
  /** The item's own number, often empty; undefined for content outside of items. */
  readonly value: string | undefined;
}

/** Content of a list outside its items belongs to the previous item, or becomes an item. */
function gatherItems(element: Element): readonly Item[] {
  const items: Item[] = [];
  for (const child of element.childNodes) {
    const last = items.at(-1);
    if (isNamed(child, 'li')) items.push({ nodes: [...child.childNodes], value: attribute(child, 'value') ?? '' });
    else if (isNamed(child, 'div') && childElements(child, 'li').length > 0) items.push(...gatherItems(child));
    else if (isNamed(child, 'ul', 'ol') && last !== undefined) last.nodes.push(child);
    else if (isElement(child) || textOf(child).trim() !== '') items.push({ nodes: [child], value: undefined });
  }
  return items;
}

/** A check box at the beginning of an item makes it a task (GFM 5.3); elsewhere it is a symbol. */
function withTask(blocks: readonly Block[], { gfm }: Reader): readonly Block[] {
  const [first, ...others] = blocks;
  if (!gfm || first?.kind !== 'paragraph') return blocks;
  const at = first.content.findIndex(isVisible);
  const box = first.content[at];
  if (box?.kind !== 'check box') return blocks;
  const mark: Inline = { kind: 'raw', value: box.checked ? '[x]' : '[ ]' };
  return [{ ...first, content: [mark, ...first.content.slice(at + 1)] }, ...others];
}

interface Run {
  readonly start: number;
  readonly items: (readonly Block[])[];
}

interface ReadItem {
  readonly value: string | undefined;
  readonly blocks: readonly Block[];
}

/** Nine digits (CommonMark 5.2). */
const LARGEST = 999_999_999;

/** Items with consecutive numbers. A number that cannot be written is ignored. */
function splitAtGaps(items: readonly ReadItem[], { start, step }: Numbers): readonly Run[] {
  const runs: Run[] = [];
  let next = start;
  for (const { value, blocks } of items) {
    const own = Number.parseInt(value ?? '', 10);
    const number = own >= 0 && own <= LARGEST ? own : next;
    const last = runs.at(-1);
    if (last === undefined || number !== next) runs.push({ start: number, items: [blocks] });
    else last.items.push(blocks);
    next = number + step;
  }
  return runs;
}

function numbering({ start, step }: Numbers, count: number): Numbers {
  const last = start + step * (count - 1);
  const possible = Math.min(start, last) >= 0 && Math.max(start, last) <= LARGEST;
  return possible ? { start, step } : { start: 1, step: 1 };
}

/** A paragraph in the page, or adjacent blocks that only a blank line separates. */
function isLoose(item: readonly Block[]): boolean {
  return item.some((block, at) => {
    const before = item[at - 1];
    return (block.kind === 'paragraph' && block.spaced) || (before !== undefined && needBlankLine(before, block));
  });
}

function needBlankLine(before: Block, block: Block): boolean {
  if (block.kind === 'paragraph') return ['paragraph', 'list', 'quotation', 'table'].includes(before.kind);
  if (block.kind === 'table') return before.kind !== 'code block' && before.kind !== 'break';
  if (block.kind === 'quotation' && before.kind === 'quotation') return true;
  const isNumbered = block.kind === 'list' && block.numbers !== undefined;
  // Some parsers accept only the number 1 directly after an item's text.
  if (isNumbered && before.kind === 'list' && before.numbers !== undefined) return block.numbers.start !== 1;
  if (before.kind !== 'paragraph') return false;
  // Not required by the specification, but a widely used parser loses lines of a fence without it.
  if (block.kind === 'code block') return true;
  // List items that can interrupt a paragraph: those with content, and of numbered ones only number 1 (CommonMark 5.3).
  return block.kind === 'list' && ((isNumbered && block.numbers.start !== 1) || block.items[0]?.length === 0);
}

function readDefinitions(element: Element, reader: Reader): readonly List[] {
  const items = gatherGroups(element).map(({ terms, definitions }) => {
    const label = terms.flatMap((term, at) => [...(at > 0 ? [text(', ')] : []), ...reader.inlines(term.childNodes)]);
    return definedItem(
      label,
      definitions.flatMap((definition) => reader.blocks(definition.childNodes)),
    );
  });
  return listOf(items.filter((item) => item.length > 0));
}

interface Group {
  readonly terms: Element[];
  readonly definitions: Element[];
}

function gatherGroups(element: Element): readonly Group[] {
  const groups: Group[] = [];
  for (const part of findParts(element)) {
    const last = groups.at(-1);
    const isTerm = part.tagName === 'dt';
    if (last === undefined || (isTerm && last.definitions.length > 0)) {
      groups.push({ terms: isTerm ? [part] : [], definitions: isTerm ? [] : [part] });
    } else (isTerm ? last.terms : last.definitions).push(part);
  }
  return groups;
}

/** A `div` may group terms and definitions. */
function findParts(element: Element): readonly Element[] {
  return childElements(element, 'dt', 'dd', 'div').flatMap((child) => (child.tagName === 'div' ? findParts(child) : [child]));
}

function definedItem(label: readonly Inline[], blocks: readonly Block[]): readonly Block[] {
  const [first, ...others] = blocks;
  if (!label.some(isVisible)) return blocks;
  if (first === undefined) return paragraphs([{ kind: 'strong', children: label }]);
  if (first.kind !== 'paragraph') return [...paragraphs([labeled(label)]), ...blocks];
  const content = [labeled(label), text(' '), ...first.content];
  return [{ kind: 'paragraph', content, spaced: first.spaced && others.length > 0 }, ...others];
}

/** `Term:` in bold, on one line. A term that ends with punctuation gets no colon. */
export function labeled(label: readonly Inline[]): Inline {
  const children = inOneLine(label);
  return { kind: 'strong', children: /\p{Po}\s*$/u.test(wordsOf(children)) ? children : [...children, text(':')] };
}
