import type { DomDocument } from './document.js';
import { shownText, type Draft, type DraftedFrame } from './draft.js';
import { shownNameOf } from './shown-name.js';
import { shouldYield } from './yielding.js';
import { isInteractive, isText } from './roles.js';

/** A longer text is not a name. */
const MAX_NAME = 200;

/** Names unnamed nodes, finds the visible part of names and drops text that repeats the parent's name. */
export function* settle(drafts: readonly Draft[], frame: DraftedFrame): Generator<void, readonly Draft[]> {
  const { document } = frame.seen;
  if (drafts.length === 0) return drafts;
  const all: Draft[] = [];
  for (const draft of drafts) {
    if (shouldYield()) yield;
    if (!saysSomething(draft)) continue;
    // Nodes of child frames are already settled.
    const children =
      draft.frameId === document.frameId && draft.children[0]?.frameId === draft.frameId
        ? yield* settle(draft.children, frame)
        : draft.children;
    const name = draft.name.trim() === '' && draft.cursor !== undefined ? nameOf(draft, children, document) : draft.name;
    const settled = isRepeated(name, spoken(draft, children)) ? children.filter(({ role }) => !isText(role)) : children;
    const shownName = isText(draft.role) || draft.frameId !== document.frameId ? name : shownNameOf({ ...draft, name }, frame);
    const isSame = name === draft.name && settled === draft.children && shownName === name;
    all.push(isSame ? draft : { ...draft, name, children: settled, ...(shownName === name ? {} : { shownName }) });
  }
  return all;
}

/** Blank text and bullets carry no information. */
function saysSomething({ role, name }: Draft): boolean {
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
  const children = spoken(draft, inside);
  if (children.some(({ role }) => !isText(role) && role !== 'image')) return '';
  const text = collapse(children.map(({ name }) => name).join(' '));
  if (text !== '') return text.length > MAX_NAME ? '' : text;
  const { dom } = draft;
  if (dom === undefined) return '';
  const hidden = inside.filter((child) => !children.includes(child));
  const called = ['aria-label', 'title', 'alt', 'placeholder'].map((name) => dom.attributes.get(name) ?? '');
  const shown = shownText(
    document,
    dom,
    hidden.flatMap((control) => control.dom ?? []),
  );
  const [own = ''] = [...called, shown, ...hidden.map(({ name }) => name)].map(collapse).filter((value) => value !== '');
  return own.length > MAX_NAME ? `${own.slice(0, MAX_NAME).trimEnd()}…` : own;
}

/** The node's content without the hidden control that a label represents: that control has the label's text as its name. */
function spoken({ dom, cursor }: Draft, children: readonly Draft[]): readonly Draft[] {
  if (dom?.tag !== 'LABEL' || cursor === undefined) return children;
  return children.filter(({ role, visible }) => visible || !isInteractive(role));
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function compact(text: string): string {
  return text.replace(/\s+/g, '');
}
