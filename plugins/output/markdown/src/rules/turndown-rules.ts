import type TurndownService from 'turndown';
import { finishInline, longestRun } from '../inline/finish-inline.js';
import { elementsIn, isNamed, nameOf, textOf } from '../blocks/elements.js';
import { plainText } from '../inline/marks.js';

export interface RuleOptions {
  readonly gfm: boolean;
}

/**
 * Turndown's rules for the blocks that `restructure` produces. Inline content is finished only here, because a block knows the context of
 * its content.
 */
export function addBlockRules(service: TurndownService, { gfm }: RuleOptions): void {
  service.addRule('paragraph', {
    filter: 'p',
    replacement: (content, node) => asBlock(finishInline(content, { gfm, place: 'paragraph' }), node),
  });
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) =>
      asBlock(`${'#'.repeat(Number(node.nodeName.charAt(1)))} ${finishInline(content, { gfm, place: 'heading' })}`, node),
  });
  service.addRule('quotation', {
    filter: 'blockquote',
    replacement: (content, node) => asBlock(trimLines(content).replace(/^/gm, '> ').replace(/^> $/gm, '>'), node),
  });
  service.addRule('list', { filter: ['ul', 'ol'], replacement: (content, node) => asBlock(trimLines(content), node) });
  service.addRule('item', { filter: 'li', replacement: writeItem });
  service.addRule('listing', { filter: 'pre', replacement: (_content, node) => asBlock(fence(node), node) });
  // A line of hyphens would begin a document's metadata, underline a heading, or be a list item.
  service.addRule('break', {
    filter: 'hr',
    replacement: (_content, node) => asBlock(isNamed(node.parentElement, 'LI') || node.hasAttribute('first') ? '***' : '---', node),
  });
}

/** GFM 4.10. A table without a header gets an empty one, because GFM requires it. */
export function addTableRules(service: TurndownService, { gfm }: RuleOptions): void {
  service.addRule('cell', {
    filter: ['td', 'th'],
    // `columns`: represents this many empty cells.
    replacement: (content, node) =>
      ` ${finishInline(content, { gfm, place: 'cell' })} |`.repeat(Number(node.getAttribute('columns') ?? '1')),
  });
  service.addRule('row', { filter: 'tr', replacement: (content) => `\n|${content}` });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => {
      const [head = '', ...rows] = trimLines(content).split('\n');
      const alignments = (node.getAttribute('align') ?? '').split(' ');
      return asBlock([head, `|${alignments.map((alignment) => ` ${RULERS[alignment] ?? '---'} |`).join('')}`, ...rows].join('\n'), node);
    },
  });
}

const RULERS: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' };

/** Blocks of a tight list's item are not separated by a blank line, all others are. */
function asBlock(markdown: string, node: Element): string {
  const { parentElement } = node;
  const list = isNamed(node, 'LI') ? parentElement : isNamed(parentElement, 'LI') ? parentElement.parentElement : null;
  const gap = isNamed(list, 'UL', 'OL') && !list.hasAttribute('loose') ? '\n' : '\n\n';
  return gap + markdown + gap;
}

function trimLines(content: string): string {
  return content.replace(/^\n+/, '').replace(/(?<!\n)\n+$/, '');
}

/** Exported because Turndown does not call the rules for items without content. */
export function writeItem(content: string, node: Element): string {
  const list = node.parentElement;
  const marker = list === null ? '-' : itemMarker(list, node);
  const indented = trimLines(content).replace(/\n(?!\n|$)/g, `\n${' '.repeat(marker.length + 1)}`);
  return asBlock(`${marker} ${indented}`.trimEnd(), node);
}

const places = new WeakMap<Element, Map<Element, number>>();

function itemMarker(list: Element, item: Element): string {
  const other = list.hasAttribute('other');
  if (nameOf(list) === 'UL') return other ? '*' : '-';
  const start = Number(list.getAttribute('start') ?? '1');
  const step = Number(list.getAttribute('step') ?? '1');
  return `${String(start + step * placeOf(list, item))}${other ? ')' : '.'}`;
}

/** Counted once for all items of a list. */
function placeOf(list: Element, item: Element): number {
  const known = places.get(list) ?? new Map(elementsIn(list).map((element, at) => [element, at]));
  places.set(list, known);
  return known.get(item) ?? 0;
}

/** The fence is longer than any run of its character in the text. */
function fence(node: Element): string {
  const text = plainText(textOf(node));
  const ticks = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return `${ticks}${node.getAttribute('language') ?? ''}\n${text}\n${ticks}`;
}
