import type { BlockReader, Builder } from './builder.js';
import { childrenOf, elementsIn, hasContent, isElement, isNamed, isUnread, nameOf, textOf } from './elements.js';

export interface ListPlace {
  readonly list: Element;
  readonly depth: number;
}

/**
 * A list whose items contain blocks; `loose` if blank lines separate them, `start` and `step` for the numbers. Markdown numbers are
 * consecutive: at a gap a new list begins.
 */
export function listOf(builder: Builder, read: BlockReader, { list, depth }: ListPlace): readonly Element[] {
  const items = gatherItems(builder, list).map((item) => ({ item, blocks: read(item, depth + 1) }));
  if (items.length === 0) return [];
  const loose = items.some(({ blocks }) => isLoose(blocks)) ? { loose: '' } : {};
  const make = (name: string, part: readonly ReadItem[], attributes: Readonly<Record<string, string>>) =>
    builder.make(
      name,
      part.map(({ blocks }) => builder.make('li', blocks)),
      { ...attributes, ...loose },
    );
  if (nameOf(list) !== 'OL') return [make('ul', items, {})];
  const step = list.hasAttribute('reversed') ? -1 : 1;
  return splitAtJumps(items, { start: startOf(list, items.length, step), step }).map((run) =>
    make('ol', run.items, numbering(run.start, step, run.items.length)),
  );
}

interface ReadItem {
  readonly item: Element;
  readonly blocks: readonly Element[];
}

interface Run {
  readonly start: number;
  readonly items: ReadItem[];
}

/** Items with consecutive numbers. A number that cannot be written is ignored. */
function splitAtJumps(items: readonly ReadItem[], { start, step }: { readonly start: number; readonly step: number }): readonly Run[] {
  const runs: Run[] = [];
  let next = start;
  for (const item of items) {
    const said = Number.parseInt(item.item.getAttribute('value') ?? '', 10);
    const number = said >= 0 && said <= LARGEST ? said : next;
    const last = runs.at(-1);
    if (last === undefined || number !== next) runs.push({ start: number, items: [item] });
    else last.items.push(item);
    next = number + step;
  }
  return runs;
}

/** Content of a list outside its items belongs to the previous item, or becomes an item. */
function gatherItems(builder: Builder, list: Element): readonly Element[] {
  const items: Element[] = [];
  for (const child of childrenOf(list)) {
    if (isNamed(child, 'LI')) items.push(child);
    else if (isElement(child) && isUnread(child)) continue;
    else if (hasContent(child)) {
      const last = items.at(-1);
      if (last !== undefined && isNamed(child, 'UL', 'OL')) last.appendChild(child);
      else if (isNamed(child, 'DIV') && elementsIn(child).some((inner) => isNamed(inner, 'LI'))) items.push(...gatherItems(builder, child));
      else items.push(builder.make('li', [child]));
    }
  }
  return items;
}

/** Nine digits (CommonMark 5.2). */
const LARGEST = 999_999_999;

function startOf(list: Element, count: number, step: number): number {
  const said = Number.parseInt(list.getAttribute('start') ?? '', 10);
  if (!Number.isNaN(said)) return said;
  return step < 0 ? count : 1;
}

function numbering(start: number, step: number, count: number): Readonly<Record<string, string>> {
  const last = start + step * (count - 1);
  const possible = Math.min(start, last) >= 0 && Math.max(start, last) <= LARGEST;
  return possible ? { start: String(start), step: String(step) } : { start: '1', step: '1' };
}

/** A paragraph in the page, or adjacent blocks that only a blank line separates. */
export function isLoose(blocks: readonly Element[]): boolean {
  return (
    blocks.some((block) => isNamed(block, 'P') && !block.hasAttribute('anonymous')) ||
    blocks.some((block, at) => at > 0 && needBlankLine(blocks[at - 1], block))
  );
}

function needBlankLine(before: Element | undefined, block: Element): boolean {
  if (isNamed(block, 'P')) return isNamed(before, 'P', 'UL', 'OL', 'BLOCKQUOTE', 'TABLE');
  if (isNamed(block, 'TABLE')) return !isNamed(before, 'PRE', 'HR');
  if (isNamed(before, 'BLOCKQUOTE') && isNamed(block, 'BLOCKQUOTE')) return true;
  // Some parsers accept only the number 1 directly after an item's text.
  if (isNamed(before, 'OL') && isNamed(block, 'OL')) return block.getAttribute('start') !== '1';
  if (!isNamed(before, 'P')) return false;
  // Not required by the specification, but a widely used parser loses lines of a fence without it.
  if (isNamed(block, 'PRE')) return true;
  // List items that can interrupt a paragraph: those with content, and of numbered ones only number 1 (CommonMark 5.3).
  if (isNamed(block, 'OL') && block.getAttribute('start') !== '1') return true;
  return isNamed(block, 'UL', 'OL') && elementsIn(block)[0]?.firstChild === null;
}

/** Bold terms before their definitions, one item per group: CommonMark has no definition lists. */
export function definitionList(builder: Builder, read: BlockReader, { list, depth }: ListPlace): readonly Element[] {
  const groups = gatherGroups(list);
  const items = groups.map(({ terms, definitions }) =>
    groupItem(
      builder,
      terms,
      definitions.flatMap((one) => read(one, depth + 1)),
    ),
  );
  const filled = items.filter((item) => item.firstChild !== null);
  if (filled.length === 0) return [];
  const made = builder.make('ul', filled);
  if (filled.some((item) => isLoose(elementsIn(item)))) made.setAttribute('loose', '');
  return [made];
}

interface Group {
  readonly terms: Element[];
  readonly definitions: Element[];
}

function gatherGroups(list: Element): readonly Group[] {
  const groups: Group[] = [];
  const read = (parent: Element) => {
    for (const child of elementsIn(parent)) {
      const last = groups.at(-1);
      if (isNamed(child, 'DT')) {
        if (last === undefined || last.definitions.length > 0) groups.push({ terms: [child], definitions: [] });
        else last.terms.push(child);
      } else if (isNamed(child, 'DD')) {
        if (last === undefined) groups.push({ terms: [], definitions: [child] });
        else last.definitions.push(child);
      } else if (isNamed(child, 'DIV')) read(child);
    }
  };
  read(list);
  return groups;
}

function groupItem(builder: Builder, terms: readonly Element[], blocks: readonly Element[]): Element {
  const [first] = blocks;
  const label = terms.flatMap((term, at) => [...(at > 0 ? [builder.text(', ')] : []), ...plainTerm(builder, term)]);
  if (!label.some(hasContent)) return builder.make('li', blocks);
  if (first === undefined) return builder.make('li', [builder.make('p', [builder.make('strong', label)], { anonymous: '' })]);
  const together = isNamed(first, 'P') && terms.length > 0;
  const lead = [labeled(builder, label), ...(together ? [builder.text(' '), ...childrenOf(first)] : [])];
  const paragraph = builder.make(
    'p',
    lead,
    blocks.length > 1 && together && first.getAttribute('anonymous') === null ? {} : { anonymous: '' },
  );
  return builder.make('li', [paragraph, ...(together ? blocks.slice(1) : blocks)]);
}

/** Without nested blocks and bold parts. */
export function plainTerm(builder: Builder, term: Element): readonly Node[] {
  return childrenOf(term).flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isUnread(child)) return [];
    return builder.isBlock(child) || isNamed(child, 'B', 'STRONG') ? plainTerm(builder, child) : [child];
  });
}

/** `Term:` in bold. A term that ends with punctuation gets no colon. */
export function labeled(builder: Builder, label: readonly Node[]): Element {
  const strong = builder.make('strong', label);
  if (!/[\p{Po}]\s*$/u.test(textOf(strong))) strong.appendChild(builder.text(':'));
  return strong;
}
