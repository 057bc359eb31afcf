import type { DomNode } from './document.js';
import type { DraftedFrame } from './draft.js';
import { isInteractive } from './roles.js';
import type { Visibility } from './visibility/visibility.js';

/** The text that a node contributes to the names of what contains it; empty if there is none. */
function textOf({ box, tag, attributes }: DomNode): string {
  return collapse(tag === 'IMG' ? (attributes.get('alt') ?? '') : (box?.text ?? ''));
}

/** The node's text is laid out and part of names, but a user cannot see it. */
export function isUnseenText(node: DomNode, { content }: Visibility): boolean {
  return node.box !== undefined && !content.has(node.index) && textOf(node) !== '';
}

/** Indices of the nodes with such a text, in document order. */
export function listUnseen({ seen: { document }, visibility }: Pick<DraftedFrame, 'seen' | 'visibility'>): readonly number[] {
  return document.nodes.flatMap((node) => (isUnseenText(node, visibility) ? [node.index] : []));
}

/** A name without the texts in it that a user cannot see. A control that shows only an icon keeps its name, as it keeps its `aria-label`. */
export function shownNameOf(
  {
    name,
    role,
    cursor,
    dom,
  }: { readonly name: string; readonly role: string; readonly cursor?: unknown; readonly dom: DomNode | undefined },
  { seen: { document }, visibility: { content }, unseen }: DraftedFrame,
): string {
  if (role === 'option' && dom !== undefined && isHiddenOption(dom)) return '';
  if (dom === undefined || name === '' || !hasBetween(unseen, dom.index, dom.end)) return name;
  if (collapse(dom.attributes.get('aria-label') ?? '') === collapse(name)) return name;
  let rest = collapse(name);
  let at = 0;
  let showsContent = false;
  for (let index = dom.index; index <= dom.end; index += 1) {
    const node = document.nodes[index];
    const isSeen = content.has(index);
    showsContent ||= isSeen && index > dom.index;
    const text = node?.box === undefined ? '' : textOf(node);
    const found = text === '' ? -1 : rest.toLowerCase().indexOf(text.toLowerCase(), at);
    if (found === -1) continue;
    if (isSeen) at = found + text.length;
    else rest = rest.slice(0, found) + rest.slice(found + text.length);
  }
  const shown = collapse(rest);
  const isIcon = shown === '' && showsContent && (isInteractive(role) || cursor !== undefined);
  return isIcon || shown === collapse(name) ? name : shown;
}

/** An option of a closed list has no box and no style in the snapshot: only its own attributes say that the open list lacks it. */
function isHiddenOption({ box, attributes }: DomNode): boolean {
  return box === undefined && (attributes.has('hidden') || /(^|;)\s*display\s*:\s*none/i.test(attributes.get('style') ?? ''));
}

/** Whether a list in ascending order has a number from `from` to `to`. */
function hasBetween(numbers: readonly number[], from: number, to: number): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (numbers[low] ?? Infinity) <= to;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
