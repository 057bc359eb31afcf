import { type AxNode, hasContentActions, isInteractive, roleOf } from './ax-node.js';
import type { DomDocument, DomNode } from './document.js';
import type { Cursor } from './tree-capture.js';
import type { Visibility } from './visibility/visibility.js';
import { shouldYield, yieldToEventLoop } from './yielding.js';

export interface ActionSubject {
  readonly document: DomDocument;
  /** The browser's unignored tree nodes by DOM id. */
  readonly exposed: ReadonlyMap<number, AxNode>;
  readonly ax: readonly AxNode[];
  readonly visibility: Visibility;
  /** By node index: image map areas that are on an image. */
  readonly areas: { has(index: number): boolean };
}

/** Properties inherited from an element's ancestors. */
interface Inherited {
  /** For example a link or a button. */
  readonly hasActionableAncestor: boolean;
  readonly pointer: boolean;
  readonly editing: boolean;
  /** Nothing in it can be reached. */
  readonly inert: boolean;
  /** An ancestor listens for clicks on its items. */
  readonly delegated: boolean;
}

const PAGE = new Set(['HTML', 'BODY', 'HEAD']);
const NATIVE = new Set(['BUTTON', 'INPUT', 'SELECT', 'SUMMARY', 'TEXTAREA']);
const PLUGINS = new Set(['OBJECT', 'EMBED']);
/** These elements respond to clicks natively, which does not imply a listener. */
const INHERENT = new Set([...NATIVE, 'A', 'LABEL', 'OPTION', ...PLUGINS]);
const TEXT_TYPES = new Set(['', 'text', 'search', 'email', 'url', 'tel', 'password', 'number']);
const NOTHING_INHERITED: Inherited = { hasActionableAncestor: false, pointer: false, editing: false, inert: false, delegated: false };
/** Fraction of the window above which a box without its own pointer cursor counts as the page itself. */
const PAGE_SIZED = 0.9;

/**
 * Elements that a user can click, type into or focus and whose role does not say so, by node index. Excludes containers that listen for
 * clicks on their descendants.
 */
export async function findActions(subject: ActionSubject): Promise<ReadonlyMap<number, Cursor>> {
  const { document } = subject;
  const delegates = await countTargets(subject);
  const isReachable = withinModal(subject);
  const passed: Inherited[] = [];
  const isDropTarget = dropTargets(subject);
  const actions = new Map<number, Cursor>();
  for (const node of document.nodes) {
    if (shouldYield()) await yieldToEventLoop();
    const inherited = passed[node.parent] ?? NOTHING_INHERITED;
    const role = roleOf(subject.exposed.get(node.backendId));
    const hasActionableAncestor = inherited.hasActionableAncestor || hasContentActions(role);
    const inert = inherited.inert || node.attributes.has('inert');
    const { style } = node.box ?? {};
    const editing = isEditable(node) ?? inherited.editing;
    const delegated = inherited.delegated || (node.clickable && DELEGATING.has(role));
    passed[node.index] = { hasActionableAncestor, inert, editing, delegated, pointer: style?.pointer ?? inherited.pointer };
    if (hasActionableAncestor || isInteractive(role) || inert || !isReachable(node)) continue;
    // If an image has a name, the browser omits the areas of its map.
    if (node.tag === 'AREA' && node.attributes.has('href') && subject.areas.has(node.index)) actions.set(node.index, 'clickable');
    if (node.kind !== 'element' || style?.visible !== true || PAGE.has(node.tag)) continue;
    const isItem = inherited.delegated && ITEMS.has(role) && delegates(node) === 0;
    const byItself = cursorOf({ node, inherited, subject, targets: delegates(node) }) ?? (isItem ? 'clickable' : undefined);
    const cursor = byItself ?? (isDropTarget(node, role) ? 'drag' : undefined);
    if (cursor !== undefined) actions.set(node.index, cursor);
  }
  return actions;
}

/** Containers whose listener is for their items: each item can be used (MiniWoB++, `test/bench/miniwob`). */
const DELEGATING = new Set(['grid', 'list', 'row', 'rowgroup', 'table', 'treegrid']);
const ITEMS = new Set(['gridcell', 'listitem']);

/** If something can be dragged, it can be dropped on the items, lists and regions of the page (MiniWoB++, `test/bench/miniwob`). */
function dropTargets({ document }: ActionSubject): (node: DomNode, role: string) => boolean {
  const hasDraggable = document.nodes.some(isDraggable);
  return (node, role) => hasDraggable && (isDraggable(node) || DROP_TARGETS.has(role));
}

const DROP_TARGETS = new Set(['gridcell', 'group', 'list', 'listitem', 'region']);

function isDraggable({ attributes }: DomNode): boolean {
  return attributes.get('draggable')?.toLowerCase() === 'true';
}

interface Candidate {
  readonly node: DomNode;
  readonly inherited: Inherited;
  readonly subject: ActionSubject;
  /** Number of descendants that can be used by themselves. */
  readonly targets: number;
}

function cursorOf(candidate: Candidate): Cursor | undefined {
  const { node, inherited } = candidate;
  if (isEditable(node) === true && !inherited.editing) return 'editable';
  if (node.attributes.has('disabled')) return undefined;
  if (isNative(node)) return isTextField(node) ? 'editable' : node.attributes.get('type') === 'hidden' ? undefined : 'clickable';
  if (node.box?.style.takesPointer === true && isClickable(candidate)) return 'clickable';
  return Number.parseInt(node.attributes.get('tabindex') ?? '', 10) >= 0 ? 'focusable' : undefined;
}

/** The browser's tree has no role for some summaries (those of rustdoc). A summary outside a `details` does nothing. */
function isNative({ tag, clickable }: DomNode): boolean {
  return NATIVE.has(tag) && (tag !== 'SUMMARY' || clickable);
}

function isClickable({ node, inherited, subject, targets }: Candidate): boolean {
  if (node.tag === 'LABEL') return !hasVisibleControl(node, subject);
  if (node.tag === 'A' && node.attributes.has('href')) return true;
  const pointer = node.box?.style.pointer === true && !inherited.pointer;
  if (pointer) return true;
  const listens = node.clickable && !inherited.editing && !INHERENT.has(node.tag);
  return (listens || node.attributes.has('onclick')) && targets === 0 && !isPageSized(node, subject.document);
}

/** Undefined: inherited. */
function isEditable({ attributes }: DomNode): boolean | undefined {
  const value = attributes.get('contenteditable')?.toLowerCase();
  if (value === undefined) return undefined;
  if (value === 'false') return false;
  return ['', 'true', 'plaintext-only'].includes(value) ? true : undefined;
}

function isTextField({ tag, attributes }: DomNode): boolean {
  return tag === 'TEXTAREA' || (tag === 'INPUT' && TEXT_TYPES.has(attributes.get('type')?.toLowerCase() ?? ''));
}

/** The root element of an application listens for everything in it (React). */
function isPageSized({ box, index, end }: DomNode, { viewport }: DomDocument): boolean {
  if (box === undefined || end - index < 2) return false;
  return box.bounds.width >= viewport.width * PAGE_SIZED && box.bounds.height >= viewport.height * PAGE_SIZED;
}

/** The control of a label. */
export function controlOf(label: DomNode, { nodes }: DomDocument): DomNode | undefined {
  const id = label.attributes.get('for');
  if (id !== undefined) return nodes.find((node) => node.attributes.get('id') === id);
  return nodes.slice(label.index + 1, label.end + 1).find(({ tag }) => NATIVE.has(tag));
}

/** A label whose check box is hidden acts for the check box. */
function hasVisibleControl(label: DomNode, { document, exposed, visibility }: ActionSubject): boolean {
  const control = controlOf(label, document);
  return control === undefined || (exposed.has(control.backendId) && visibility.own.has(control.index));
}

/** Number of descendants that can be used by themselves: links, buttons, and elements with their own pointer cursor or listener. */
async function countTargets({ document, exposed }: ActionSubject): Promise<(node: DomNode) => number> {
  const before = [0];
  for (const { index, backendId, box, clickable, kind, tag, parent } of document.nodes) {
    if (shouldYield()) await yieldToEventLoop();
    const pointer = box?.style.pointer === true && document.nodes[parent]?.box?.style.pointer !== true;
    const isTarget =
      isInteractive(roleOf(exposed.get(backendId))) || pointer || (clickable && kind === 'element' && !PAGE.has(tag) && !PLUGINS.has(tag));
    before[index + 1] = (before[index] ?? 0) + (isTarget && kind === 'element' ? 1 : 0);
  }
  return ({ index, end }) => (before[end + 1] ?? 0) - (before[index + 1] ?? 0);
}

/** Nothing behind an open modal dialog can be reached: the browser reports that and removes it from its tree. */
function withinModal({ ax, document }: ActionSubject): (node: DomNode) => boolean {
  const isModal = ax.some(({ ignoredReasons = [] }) => ignoredReasons.some(({ name }) => name === 'activeModalDialog'));
  if (!isModal) return () => true;
  const dialog = ax.find(
    ({ ignored, properties = [] }) => !ignored && properties.some(({ name, value }) => name === 'modal' && value.value === true),
  );
  const root = document.byBackendId.get(dialog?.backendDOMNodeId ?? -1);
  return ({ index }) => root !== undefined && index >= root.index && index <= root.end;
}
