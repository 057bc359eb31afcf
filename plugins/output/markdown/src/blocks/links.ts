import type { Builder } from './builder.js';
import { childrenOf, elementsIn, hasContent, isHeading, isNamed, textOf, findAll } from './elements.js';

/**
 * A link around blocks (a card, a teaser) moves into one of them: the first heading, else the first block with text, else the first block.
 */
export function linkOneOf(builder: Builder, link: Element, blocks: readonly Element[]): readonly Element[] {
  const leaves = blocks.flatMap(leavesIn);
  const chosen = leaves.find(isHeading) ?? leaves.find((leaf) => textOf(leaf).trim() !== '') ?? leaves[0];
  if (chosen === undefined) return blocks;
  for (const inner of findAll(chosen, 'A')) unwrap(inner);
  const around = builder.make('a', childrenOf(chosen));
  for (const name of ['href', 'title']) {
    const value = link.getAttribute(name);
    if (value !== null) around.setAttribute(name, value);
  }
  chosen.appendChild(around);
  return blocks;
}

function leavesIn(block: Element): readonly Element[] {
  if (isNamed(block, 'P') || isHeading(block)) return [block];
  return isNamed(block, 'PRE', 'HR', 'TABLE') ? [] : elementsIn(block).flatMap(leavesIn);
}

export function unwrap(element: Element): void {
  const { parentNode } = element;
  if (parentNode === null) return;
  for (const child of childrenOf(element)) parentNode.insertBefore(child, element);
  parentNode.removeChild(element);
}

const ANCHOR_TEXT = /^[#¶§🔗\s]*$/u;

/** Headings of many pages contain a link to themselves that is shown on hover. */
export function unlinkAnchors(heading: Element): void {
  for (const link of findAll(heading, 'A')) {
    const whole = textOf(link).trim() === textOf(heading).trim();
    if (!whole && ANCHOR_TEXT.test(textOf(link)) && findAll(link, 'IMG').length === 0) link.parentNode?.removeChild(link);
  }
}

/** Code that is completely a link: a link can contain code, code cannot contain a link. */
export function swapLinkedCode(document: Document, root: Element): void {
  for (const link of findAll(root, 'A')) {
    const code = link.parentElement;
    if (!isNamed(code, 'CODE', 'KBD', 'SAMP', 'TT') || childrenOf(code).some((child) => child !== link && hasContent(child))) continue;
    const { parentNode } = code;
    if (parentNode === null) continue;
    parentNode.insertBefore(link, code);
    const inner = document.createElement('code');
    for (const child of childrenOf(link)) inner.appendChild(child);
    link.appendChild(inner);
    parentNode.removeChild(code);
  }
}
