import type { DomDocument, DomNode } from './document.js';
import { type AxNode, roleOf } from './load-frames.js';
import { place } from './placement.js';
import { readState } from './read-state.js';
import { isInteractive } from './roles.js';
import type { SeenFrame } from './visibility/compute-frames.js';
import type { Visibility } from './visibility/visibility.js';
import { ATTRIBUTES, type Cursor, type TreeAttributes, type TreeNode, type TreeState } from './tree-capture.js';

/** HTML, the elements to which `disabled` applies. */
const DISABLEABLE = new Set(['BUTTON', 'FIELDSET', 'INPUT', 'OPTGROUP', 'OPTION', 'SELECT', 'TEXTAREA']);

/** A node under construction, without a ref yet. */
export interface Draft extends Omit<TreeNode, 'ref' | 'children'> {
  /** Undefined for generated content. */
  readonly dom: DomNode | undefined;
  /** Generated content that a user cannot see. */
  readonly isUnseen?: true;
  readonly children: readonly Draft[];
}

/** Everything known about one frame. */
export interface DraftedFrame {
  readonly seen: SeenFrame;
  readonly visibility: Visibility;
  readonly actions: ReadonlyMap<number, Cursor>;
  /** Indices of the nodes whose text a user cannot see, in document order. */
  readonly unseen: readonly number[];
}

/** Nodes under construction. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The rest of a `data:` URL is its data. */
const MAX_DATA_URL = 100;

/** Elements that are visible by themselves, whatever is painted in them. */
const SOLID = new Set([
  'image',
  'Canvas',
  'Video',
  'Audio',
  'Iframe',
  'IframePresentational',
  'splitter',
  'separator',
  'progressbar',
  'meter',
  'PluginObject',
  'EmbeddedObject',
]);

export function draftNode(ax: AxNode | undefined, dom: DomNode | undefined, frame: DraftedFrame): Draft {
  const { document, placement, sights } = frame.seen;
  const role = ax?.ignored === false ? roleOf(ax) : dom?.tag === 'AREA' ? 'link' : 'generic';
  const cursor = dom && frame.actions.get(dom.index);
  const url = ax && urlOf(ax);
  const value = valueOf(ax);
  const description = textOf(ax?.description);
  const draft: Writable<Draft> = {
    dom,
    role,
    name: textOf(ax?.name) || (dom?.tag === 'AREA' ? (dom.attributes.get('alt') ?? '') : ''),
    state: ax === undefined ? {} : stateOf(ax, dom, document),
    attrs: attributesOf(dom),
    frameId: document.frameId,
    bounds: dom === undefined ? null : dom.box === undefined ? (sights.get(dom.index)?.bounds ?? null) : place(dom.box.bounds, placement),
    visible: dom !== undefined && isVisible(dom, { role, cursor, visibility: frame.visibility }),
    children: [],
  };
  if (dom !== undefined) draft.backendDOMNodeId = dom.backendId;
  if (description !== '') draft.description = description;
  if (value !== undefined) draft.value = value;
  if (url !== undefined) draft.url = url;
  if (cursor !== undefined) draft.cursor = cursor;
  return draft;
}

/**
 * The browser reports a plugin as disabled, and its fallback content with it. It also does not report a disabled option as selected
 * (`<option disabled selected>Choose …`).
 */
function stateOf(ax: AxNode, dom: DomNode | undefined, document: DomDocument): TreeState {
  const state = readState(ax);
  if (state.disabled !== true || dom === undefined) return state;
  if (dom.selected && state.selected === undefined) return { ...state, selected: true };
  if (!isLiveFallback(dom, document)) return state;
  const live: Writable<TreeState> = { ...state };
  delete live.disabled;
  return live;
}

/** Builds the node from a draft member by member, which is several times faster than a copy with omitted members. */
export function finishDraft(draft: Draft, { ref, visible, children }: Pick<TreeNode, 'ref' | 'visible' | 'children'>): TreeNode {
  const { role, name, state, attrs, frameId, bounds, backendDOMNodeId, shownName, description, value, url, cursor } = draft;
  const node: Writable<TreeNode> = { ref, role, name, state, attrs, frameId, bounds, visible, children };
  if (backendDOMNodeId !== undefined) node.backendDOMNodeId = backendDOMNodeId;
  if (shownName !== undefined) node.shownName = shownName;
  if (description !== undefined) node.description = description;
  if (value !== undefined) node.value = value;
  if (url !== undefined) node.url = url;
  if (cursor !== undefined) node.cursor = cursor;
  return node;
}

function isVisible(
  { index }: DomNode,
  {
    role,
    cursor,
    visibility: { own, content },
  }: { readonly role: string; readonly cursor: Cursor | undefined; readonly visibility: Visibility },
): boolean {
  return content.has(index) || (own.has(index) && (cursor !== undefined || isInteractive(role) || SOLID.has(role)));
}

/** Part of a name or description; empty if there is none. */
export function textOf(value: AxNode['name']): string {
  const text: unknown = value?.value;
  return typeof text === 'string' ? text : '';
}

function valueOf(ax: AxNode | undefined): string | number | undefined {
  const value: unknown = ax?.value?.value;
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? value : undefined;
}

function urlOf({ properties = [] }: AxNode): string | undefined {
  const url: unknown = properties.find(({ name }) => name === 'url')?.value.value;
  return typeof url === 'string' && url !== '' ? withoutData(url) : undefined;
}

function attributesOf(dom: DomNode | undefined): TreeAttributes {
  const given: Writable<TreeAttributes> = {};
  if (dom === undefined || dom.attributes.size === 0) return given;
  for (const name of ATTRIBUTES) {
    const value = dom.attributes.get(name);
    if (value !== undefined && value !== '') given[name] = withoutData(value);
  }
  return given;
}

/** `data:image/png;base64,…` */
export function withoutData(url: string): string {
  if (url.length <= MAX_DATA_URL || !/^\s*data:/i.test(url)) return url;
  const comma = url.indexOf(',');
  return `${url.slice(0, Math.min(comma < 0 ? MAX_DATA_URL : comma + 1, MAX_DATA_URL))}…`;
}

/** All rendered text of a node as it is laid out, except for the nodes to omit. */
export function shownText({ nodes }: DomDocument, { index, end }: DomNode, without: readonly DomNode[]): string {
  const texts: string[] = [];
  for (let at = index; at <= end; at += 1) {
    const { box, kind } = nodes[at] ?? {};
    if (without.some((node) => at >= node.index && at <= node.end)) continue;
    if (box !== undefined && box.style.visible && (kind === 'text' || box.text !== '')) texts.push(box.text);
  }
  return texts.join(' ');
}

/** The node is an `<object>` that shows its fallback content, or part of that content, and only the object makes it disabled. */
function isLiveFallback(node: DomNode, document: DomDocument): boolean {
  const object = nearest(node, document, ({ tag }) => tag === 'OBJECT');
  return object !== undefined && showsContent(object, document) && nearest(node, document, isDisabled) === undefined;
}

/** The node itself or an ancestor. */
function nearest(node: DomNode, { nodes }: DomDocument, matches: (node: DomNode) => boolean): DomNode | undefined {
  let at: DomNode | undefined = node;
  while (at !== undefined && !matches(at)) at = nodes[at.parent];
  return at;
}

function showsContent({ index, end }: DomNode, { nodes }: DomDocument): boolean {
  return nodes.slice(index + 1, end + 1).some(({ box }) => box !== undefined);
}

function isDisabled({ tag, attributes }: DomNode): boolean {
  return (attributes.has('disabled') && DISABLEABLE.has(tag)) || attributes.get('aria-disabled')?.toLowerCase() === 'true';
}
