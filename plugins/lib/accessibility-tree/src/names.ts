import { isInteractive, isText } from './ax-node.js';
import type { DomDocument, DomNode } from './document.js';
import type { Draft, DraftedFrame } from './draft.js';
import type { Visibility } from './visibility/visibility.js';
import { shouldYield } from './yielding.js';

/** A longer text is not a name. */
const MAX_NAME = 200;

/** Names unnamed nodes, finds the visible part of names and drops text that repeats the parent's name. */
export function* settleNames(drafts: readonly Draft[], frame: DraftedFrame): Generator<void, readonly Draft[]> {
  const { document } = frame.placed;
  if (drafts.length === 0) return drafts;
  const all: Draft[] = [];
  for (const draft of drafts) {
    if (shouldYield()) yield;
    if (!hasInformation(draft)) continue;
    // Nodes of child frames are already settled.
    const isOwn = draft.frameId === document.frameId;
    const children = isOwn && draft.children[0]?.frameId === draft.frameId ? yield* settleNames(draft.children, frame) : draft.children;
    const name = draft.name.trim() === '' && draft.cursor !== undefined ? nameOf(draft, children, document) : draft.name;
    const settled = isRepeated(name, namingChildren(draft, children)) ? children.filter(({ role }) => !isText(role)) : children;
    const shownName = isText(draft.role) || !isOwn ? name : shownNameOf({ ...draft, name }, frame);
    const isSame = name === draft.name && settled === draft.children && shownName === name;
    all.push(isSame ? draft : { ...draft, name, children: settled, ...(shownName === name ? {} : { shownName }) });
  }
  return all;
}

/** Blank text and bullets carry no information. */
function hasInformation({ role, name }: Draft): boolean {
  if (role === 'ListMarker') return /[\p{L}\p{N}]/u.test(name);
  return !isText(role) || collapse(name) !== '';
}

/** The combined content of the node is its name. */
function isRepeated(name: string, children: readonly Draft[]): boolean {
  if (!children.some(({ role }) => isText(role))) return false;
  return compact(children.map((child) => child.name).join('')) === compact(name);
}

/** Name of something that the browser does not name: its text, a naming attribute, or the name of the control that it represents. */
function nameOf(draft: Draft, inside: readonly Draft[], document: DomDocument): string {
  const children = namingChildren(draft, inside);
  if (children.some(({ role }) => !isText(role) && role !== 'image')) return '';
  const text = collapse(children.map(({ name }) => name).join(' '));
  if (text !== '') return text.length > MAX_NAME ? '' : text;
  const { dom } = draft;
  if (dom === undefined) return '';
  const hidden = inside.filter((child) => !children.includes(child));
  const attributes = ['aria-label', 'title', 'alt', 'placeholder'].map((name) => dom.attributes.get(name) ?? '');
  const controls = hidden.flatMap((control) => control.dom ?? []);
  const names = [...attributes, renderedText(document, dom, controls), ...hidden.map(({ name }) => name)];
  const own = names.map(collapse).find((value) => value !== '') ?? '';
  return own.length > MAX_NAME ? `${own.slice(0, MAX_NAME).trimEnd()}…` : own;
}

/** The node's content without the hidden control that a label represents: that control has the label's text as its name. */
function namingChildren({ dom, cursor }: Draft, children: readonly Draft[]): readonly Draft[] {
  if (dom?.tag !== 'LABEL' || cursor === undefined) return children;
  return children.filter(({ role, visible }) => visible || !isInteractive(role));
}

/** All rendered text of a node as it is laid out, except for the nodes to omit. */
function renderedText({ nodes }: DomDocument, { index, end }: DomNode, without: readonly DomNode[]): string {
  const texts: string[] = [];
  for (let at = index; at <= end; at += 1) {
    const { box, kind } = nodes[at] ?? {};
    if (without.some((node) => at >= node.index && at <= node.end)) continue;
    if (box !== undefined && box.style.visible && (kind === 'text' || box.text !== '')) texts.push(box.text);
  }
  return texts.join(' ');
}

/** A name without the texts in it that a user cannot see. A control that shows only an icon keeps its name, as it keeps its `aria-label`. */
function shownNameOf(
  { name, role, cursor, dom }: Pick<Draft, 'name' | 'role' | 'cursor' | 'dom'>,
  { placed: { document }, visibility: { content }, hiddenTexts }: DraftedFrame,
): string {
  if (role === 'option' && dom !== undefined && isHiddenOption(dom)) return '';
  if (dom === undefined || name === '' || !hasBetween(hiddenTexts, dom.index, dom.end)) return name;
  if (collapse(dom.attributes.get('aria-label') ?? '') === collapse(name)) return name;
  let rest = collapse(name);
  let at = 0;
  let showsContent = false;
  for (let index = dom.index; index <= dom.end; index += 1) {
    const node = document.nodes[index];
    const isVisible = content.has(index);
    showsContent ||= isVisible && index > dom.index;
    const text = node?.box === undefined ? '' : namingText(node);
    const found = text === '' ? -1 : rest.toLowerCase().indexOf(text.toLowerCase(), at);
    if (found === -1) continue;
    if (isVisible) at = found + text.length;
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

/** Indices of the nodes with a text that is laid out and part of names, but invisible; in document order. */
export function listHiddenTexts({ nodes }: DomDocument, visibility: Visibility): readonly number[] {
  return nodes.flatMap((node) => (isHiddenText(node, visibility) ? [node.index] : []));
}

export function isHiddenText(node: DomNode, { content }: Visibility): boolean {
  return node.box !== undefined && !content.has(node.index) && namingText(node) !== '';
}

/** The text that a node contributes to the names of what contains it; empty if there is none. */
function namingText({ box, tag, attributes }: DomNode): string {
  return collapse(tag === 'IMG' ? (attributes.get('alt') ?? '') : (box?.text ?? ''));
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

function compact(text: string): string {
  return text.replace(/\s+/g, '');
}
