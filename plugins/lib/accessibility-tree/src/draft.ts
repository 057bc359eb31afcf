import { type AxNode, isInteractive, readState, roleOf, textOf } from './ax-node.js';
import type { DomNode } from './document.js';
import { controlOf } from './find-actions.js';
import { place } from './placement.js';
import { ATTRIBUTES, type Cursor, type TreeAttributes, type TreeNode, type TreeState } from './tree-capture.js';
import type { PlacedFrame } from './visibility/compute-frames.js';
import type { Visibility } from './visibility/visibility.js';

/** A node under construction, without a ref yet. */
export interface Draft extends Omit<TreeNode, 'ref' | 'children'> {
  /** Undefined for generated content. */
  readonly dom: DomNode | undefined;
  /** Generated content that a user cannot see. */
  readonly isHidden?: true;
  readonly children: readonly Draft[];
}

/** Everything known about one frame. */
export interface DraftedFrame {
  readonly placed: PlacedFrame;
  readonly visibility: Visibility;
  readonly actions: ReadonlyMap<number, Cursor>;
  /** Texts that only a user who sees has, by node index. */
  readonly texts: ReadonlyMap<number, string>;
  /** Indices of the nodes whose text a user cannot see, in document order. */
  readonly hiddenTexts: readonly number[];
}

/** Nodes under construction. */
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The rest of a `data:` URL is its data. */
const MAX_DATA_URL = 100;

/** Elements that are visible by themselves, whatever is painted in them. */
const REPLACED = new Set(
  'image Canvas Video Audio Iframe IframePresentational splitter separator progressbar meter PluginObject EmbeddedObject'.split(' '),
);

/** Builds a node without children. */
export function draftNode(ax: AxNode | undefined, dom: DomNode | undefined, frame: DraftedFrame): Draft {
  const { document, placement, nodes } = frame.placed;
  const isArea = dom?.tag === 'AREA';
  const text = ax?.ignored === false || dom === undefined ? undefined : frame.texts.get(dom.index);
  const cursor = dom && frame.actions.get(dom.index);
  const role = ax?.ignored === false ? roleOf(ax) : isArea ? 'link' : text !== undefined ? 'StaticText' : 'generic';
  const url = ax && urlOf(ax);
  const value = valueOf(ax);
  const description = textOf(ax?.description);
  const draft: Writable<Draft> = {
    dom,
    role,
    name: textOf(ax?.name) || (text ?? (isArea ? (dom.attributes.get('alt') ?? '') : '')),
    state: ax === undefined ? {} : stateOf(ax, dom),
    attrs: attributesOf(dom),
    frameId: document.frameId,
    bounds: dom === undefined ? null : dom.box === undefined ? (nodes.get(dom.index)?.bounds ?? null) : place(dom.box.bounds, placement),
    visible: dom !== undefined && isVisible(dom, frame.visibility, { role, cursor }),
    children: [],
  };
  if (dom !== undefined) draft.backendDOMNodeId = dom.backendId;
  if (description !== '') draft.description = description;
  if (value !== undefined) draft.value = value;
  if (url !== undefined) draft.url = url;
  if (cursor !== undefined) draft.cursor = cursor;
  const control = cursor !== undefined && dom?.tag === 'LABEL' ? readControl(dom, frame) : undefined;
  if (control !== undefined) draft.control = control;
  return draft;
}

/** Of a control that is not laid out, the browser's tree says nothing. */
function readControl(label: DomNode, { placed: { document, loaded } }: DraftedFrame): Draft['control'] {
  const dom = controlOf(label, document);
  const type = dom?.attributes.get('type')?.toLowerCase();
  if (dom === undefined || (type !== 'checkbox' && type !== 'radio')) return undefined;
  const ax = loaded.ax.find(({ ignored, backendDOMNodeId }) => !ignored && backendDOMNodeId === dom.backendId);
  if (ax !== undefined) return { role: roleOf(ax), state: readState(ax) };
  const { attributes, checked } = dom;
  return { role: attributes.get('role') ?? type, state: { checked, ...(attributes.has('disabled') && { disabled: true }) } };
}

/** The browser does not report a disabled option as selected (`<option disabled selected>Choose …`). */
function stateOf(ax: AxNode, dom: DomNode | undefined): TreeState {
  const state = readState(ax);
  return state.disabled === true && dom?.selected === true && state.selected === undefined ? { ...state, selected: true } : state;
}

/** Content makes its element visible; controls and images are visible by themselves. */
function isVisible(
  { index }: DomNode,
  { own, content }: Visibility,
  { role, cursor }: { readonly role: string; readonly cursor: Cursor | undefined },
): boolean {
  if (content.has(index)) return true;
  return own.has(index) && (cursor !== undefined || isInteractive(role) || REPLACED.has(role));
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

/** Builds the node from a draft member by member, which is several times faster than a copy with omitted members. */
export function finishDraft(draft: Draft, { ref, visible, children }: Pick<TreeNode, 'ref' | 'visible' | 'children'>): TreeNode {
  const { role, name, state, attrs, frameId, bounds, backendDOMNodeId, shownName, description, value, url, cursor, control } = draft;
  const node: Writable<TreeNode> = { ref, role, name, state, attrs, frameId, bounds, visible, children };
  if (backendDOMNodeId !== undefined) node.backendDOMNodeId = backendDOMNodeId;
  if (shownName !== undefined) node.shownName = shownName;
  if (description !== undefined) node.description = description;
  if (value !== undefined) node.value = value;
  if (url !== undefined) node.url = url;
  if (cursor !== undefined) node.cursor = cursor;
  if (control !== undefined) node.control = control;
  return node;
}
