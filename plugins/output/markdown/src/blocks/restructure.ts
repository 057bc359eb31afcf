import { type BlockReader, createBuilder, type Builder } from './builder.js';
import { withoutBold } from './bold.js';
import { codeLanguage, codeText } from './code.js';
import { childrenOf, elementsIn, hasContent, isElement, isHeading, isNamed, isText, isUnread, nameOf, textOf } from './elements.js';
import { linkOneOf, unlinkAnchors } from './links.js';
import { definitionList, listOf } from './lists.js';
import { tableBlocks } from './tables.js';

/** Below this depth only the text remains: no reader distinguishes level 100 from level 101. */
const DEEPEST = 200;

/**
 * Converts a page to a list of plain blocks for Turndown's rules: paragraphs, headings, code blocks, quotations, lists, tables and breaks,
 * each with either blocks or inline content, never both. Elements without a meaning are removed. Changes the document.
 */
export function restructure(document: Document, root: Element, options: { readonly gfm: boolean }): readonly Element[] {
  const builder = createBuilder(document, root, options);
  const read: BlockReader = (parent, depth) =>
    depth > DEEPEST ? flatBlock(builder, parent) : readBlocks(builder, read, { parent, depth });
  return separateLists(read(root, 0));
}

interface Place {
  readonly parent: Node;
  readonly depth: number;
}

function flatBlock(builder: Builder, parent: Node): readonly Element[] {
  const text = textOf(parent);
  return text.trim() === '' ? [] : [builder.make('p', [builder.text(text)], { anonymous: '' })];
}

function readBlocks(builder: Builder, read: BlockReader, { parent, depth }: Place): readonly Element[] {
  const blocks: Element[] = [];
  let run: Node[] = [];
  const flush = () => {
    for (const line of splitAtBreaks(run)) {
      if (line.some(hasContent)) blocks.push(builder.make('p', line, isNamed(parent, 'P') ? {} : { anonymous: '' }));
    }
    run = [];
  };
  let loose: Element[] = [];
  const flushLoose = () => {
    if (loose.length > 0) blocks.push(...looseItems(builder, read, { items: loose, depth }));
    loose = [];
  };
  for (const child of childrenOf(parent)) {
    if (isElement(child) && isUnread(child)) continue;
    if (!isElement(child) || !builder.isBlock(child)) {
      if (isElement(child) || isText(child)) run.push(child);
      if (loose.length > 0 && hasContent(child)) flushLoose();
      continue;
    }
    flush();
    if (isNamed(child, 'LI', 'DT', 'DD')) {
      if (loose[0] !== undefined && isNamed(loose[0], 'LI') !== isNamed(child, 'LI')) flushLoose();
      loose.push(child);
      continue;
    }
    flushLoose();
    blocks.push(...readBlock(builder, read, { element: child, depth: depth + 1 }));
  }
  flush();
  flushLoose();
  return separateLists(blocks);
}

/** Items outside a list. */
function looseItems(
  builder: Builder,
  read: BlockReader,
  { items, depth }: { readonly items: readonly Element[]; readonly depth: number },
): readonly Element[] {
  const list = builder.make(isNamed(items[0], 'LI') ? 'ul' : 'dl', items);
  return readBlock(builder, read, { element: list, depth: depth + 1 });
}

/** Many pages separate paragraphs by two line breaks. */
function splitAtBreaks(run: readonly Node[]): readonly (readonly Node[])[] {
  const lines: Node[][] = [[]];
  const isBlankText = (node: Node | undefined) => node !== undefined && isText(node) && node.data.trim() === '';
  for (let at = 0; at < run.length; at += 1) {
    const node = run[at];
    if (node === undefined) break;
    let end = at;
    if (isNamed(node, 'BR')) {
      for (let next = at + 1; isNamed(run[next], 'BR') || isBlankText(run[next]); next += 1) if (isNamed(run[next], 'BR')) end = next;
    }
    if (end > at) lines.push([]);
    else lines.at(-1)?.push(node);
    at = end;
  }
  return lines;
}

interface BlockPlace {
  readonly element: Element;
  readonly depth: number;
}

function readBlock(builder: Builder, read: BlockReader, { element, depth }: BlockPlace): readonly Element[] {
  const name = headingName(element) ?? nameOf(element);
  switch (name) {
    case 'H1':
    case 'H2':
    case 'H3':
    case 'H4':
    case 'H5':
    case 'H6':
      return heading(builder, element, name);
    case 'UL':
    case 'OL':
    case 'MENU':
    case 'DIR':
      return listOf(builder, read, { list: element, depth });
    case 'DL':
      return definitionList(builder, read, { list: element, depth });
    case 'BLOCKQUOTE':
      return wrapped(builder, 'blockquote', read(element, depth));
    case 'PRE':
    case 'LISTING':
    case 'XMP':
    case 'PLAINTEXT':
      return listing(builder, element);
    case 'HR':
      return [builder.make('hr')];
    case 'TABLE':
      return tableBlocks(builder, read, { table: element, depth });
    case 'SUMMARY':
      return strongLine(builder, element);
    case 'A':
      return linkOneOf(builder, element, read(element, depth));
    default:
      return inlineAround(builder, element, read(element, depth));
  }
}

/** By its element name or by its role. */
function headingName(element: Element): string | undefined {
  if (isHeading(element)) return nameOf(element);
  if (element.getAttribute('role') !== 'heading') return undefined;
  const level = Number(element.getAttribute('aria-level') ?? '2');
  return Number.isInteger(level) && level > 0 ? `H${String(Math.min(level, 6))}` : 'H2';
}

function heading(builder: Builder, element: Element, name: string): readonly Element[] {
  unlinkAnchors(element);
  const content = inlineContent(builder, element);
  return content.some(hasContent) ? [builder.make(name, withoutBold(content))] : [];
}

/** The content of an element with its blocks separated by spaces: for content on one line of Markdown. */
function inlineContent(builder: Builder, element: Element): readonly Node[] {
  return childrenOf(element).flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isUnread(child)) return [];
    if (!builder.isBlock(child)) return [child];
    return [builder.text(' '), ...inlineContent(builder, child), builder.text(' ')];
  });
}

function strongLine(builder: Builder, element: Element): readonly Element[] {
  if (elementsIn(element).some(isHeading))
    return elementsIn(element).flatMap((child) => (isHeading(child) ? heading(builder, child, nameOf(child)) : []));
  const content = inlineContent(builder, element);
  return content.some(hasContent) ? [builder.make('p', [builder.make('strong', content)])] : [];
}

function listing(builder: Builder, element: Element): readonly Element[] {
  const text = codeText(element);
  if (text.trim() === '') return [];
  return [builder.make('pre', [builder.text(text)], { language: codeLanguage(element) })];
}

function wrapped(builder: Builder, name: string, blocks: readonly Element[]): readonly Element[] {
  return blocks.length === 0 ? [] : [builder.make(name, blocks)];
}

const INLINE_MEANING = new Set(['B', 'STRONG', 'I', 'EM', 'CITE', 'DFN', 'VAR', 'DEL', 'S', 'STRIKE', 'SUB', 'SUP']);
const CODE = new Set(['CODE', 'KBD', 'SAMP', 'TT']);

/** An inline element around blocks: it is moved into each of them. */
function inlineAround(builder: Builder, element: Element, blocks: readonly Element[]): readonly Element[] {
  const name = nameOf(element);
  if (CODE.has(name)) {
    const lines = blocks.map(textOf).join('\n');
    return lines.trim() === '' ? [] : [builder.make('pre', [builder.text(lines)], { language: codeLanguage(element) })];
  }
  if (INLINE_MEANING.has(name)) {
    for (const leaf of blocks.flatMap(paragraphsIn)) leaf.appendChild(builder.make(name, childrenOf(leaf)));
  }
  return blocks;
}

function paragraphsIn(block: Element): readonly Element[] {
  if (isNamed(block, 'P')) return [block];
  return isNamed(block, 'UL', 'OL', 'LI', 'BLOCKQUOTE') ? elementsIn(block).flatMap(paragraphsIn) : [];
}

/** Two adjacent lists would be parsed as one: the second uses the other marker. */
function separateLists(blocks: readonly Element[]): readonly Element[] {
  blocks.forEach((block, at) => {
    const before = blocks[at - 1];
    if (!isNamed(block, 'UL', 'OL') || before === undefined || nameOf(before) !== nameOf(block)) return;
    if (before.hasAttribute('other')) block.removeAttribute('other');
    else block.setAttribute('other', '');
  });
  return blocks;
}
