import type { Rect } from '@platen/kernel';
import { runYielding, shouldYield, type TreeNode } from '@platen/lib-accessibility-tree';
import { asSeen, createElementReader, isActionable, isOmitted, nameOf } from './actionable.js';
import type { ViewCapture } from './capture-view.js';
import { describeNode, oneLine } from './describe-node.js';

/** Containers, with the number of lines in them from which they are shown. */
const GROUPS: ReadonlyMap<string, number> = new Map([
  ...['article', 'banner', 'complementary', 'contentinfo', 'form', 'grid', 'listitem', 'main', 'menu'].map((role) => [role, 2] as const),
  ...['menubar', 'navigation', 'radiogroup', 'row', 'search', 'tablist', 'tabpanel', 'toolbar', 'tree'].map((role) => [role, 2] as const),
  ...['table', 'treegrid'].map((role) => [role, 2] as const),
  ...['alert', 'alertdialog', 'dialog', 'Iframe'].map((role) => [role, 1] as const),
]);
/** Shown for their names only, if something is in them. */
const NAMED_GROUPS: ReadonlySet<string> = new Set(['figure', 'generic', 'group', 'list', 'region']);
/** Their names repeat their content. */
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set(['row', 'listitem']);

/** How a snapshot treats the page's texts and links. */
export interface Policy {
  readonly redact: (text: string) => string;
  readonly allowsUrl: (url: string) => boolean;
}

interface Inherited {
  /** The name of the element that the text belongs to; it repeats the text. */
  readonly ownerName: string;
  readonly place: Place;
  readonly isLabel: boolean;
  /** In a link that may not be chosen. */
  readonly isRefused: boolean;
}

/** The visible elements of a page in document order, without those that add nothing. */
export async function outlineView({ tree, viewport, refs }: ViewCapture, { redact, allowsUrl }: Policy): Promise<readonly Line[]> {
  const elementOf = createElementReader(tree);
  const origin = originOf(tree.url);
  const controls = new Set<string>();
  collectControls(tree.root, controls);

  const refOf = (node: TreeNode): string | undefined => {
    const element = elementOf(node);
    return element === undefined ? undefined : refs.refOf(element, element);
  };
  function* visitAll(nodes: readonly TreeNode[], inherited: Inherited): Generator<void, readonly Line[]> {
    const lines: Line[] = [];
    for (const node of nodes) for (const line of yield* visit(node, inherited)) lines.push(line);
    return lines;
  }
  function* visit(given: TreeNode, inherited: Inherited): Generator<void, readonly Line[]> {
    if (shouldYield()) yield;
    const node = asSeen(given);
    if (isOmitted(node)) return [];
    const name = toKey(nameOf(node));
    const repeatsOwner = repeats(name, inherited.ownerName) || (inherited.isLabel && controls.has(name));
    const place = node.bounds === null ? inherited.place : placeOf(node.bounds, viewport);
    const line = { depth: 0, place, ref: undefined, bounds: node.bounds, name, isText: node.role === 'StaticText' };
    const facts = { ref: undefined, origin, isNamed: true, redact };
    if (line.isText) return repeatsOwner ? [] : [{ ...line, text: describeNode(node, facts) }];
    const isLinkRefused = node.role === 'link' && node.url !== undefined && !allowsUrl(node.url);
    const isRefused = inherited.isRefused || isLinkRefused;
    const ref = isRefused ? undefined : refOf(node);
    const ownerName = ref === undefined && !isLinkRefused ? inherited.ownerName : `${name} ${toKey(String(node.value ?? ''))}`;
    const isLabel = inherited.isLabel || node.role === 'LabelText';
    const inside = yield* visitAll(node.children, { ownerName, place, isLabel, isRefused });
    const below = node.role === 'paragraph' ? joinTexts(inside) : inside;
    if (isLinkRefused && (name === '' || repeatsOwner)) return below;
    if (ref === undefined && !isLinkRefused && !isShown(node, { lines: below.length, repeatsOwner })) return below;
    const inner = below.filter((one) => !one.isText || one.name !== name);
    const isRepeated = ref === undefined && saysName(inner, name);
    // Its text is not repeated below an element that can be acted on.
    const isNamed = !isRepeated && (ref !== undefined || !NAMED_BY_CONTENT.has(node.role));
    const text = isLinkRefused ? describeNode({ ...node, role: 'StaticText' }, facts) : describeNode(node, { ...facts, ref, isNamed });
    return nestLines({ ...line, ref, isText: isLinkRefused, text }, inner);
  }
  return runYielding(visitAll(tree.root.children, { ownerName: '', place: 'viewport', isLabel: false, isRefused: false }));
}

/** Whether a text repeats the name of its element: it is part of the name, or a symbol without letters (`×`) in something that has a name. */
function repeats(text: string, ownerName: string): boolean {
  return ownerName.includes(text) || (ownerName.trim() !== '' && !/[\p{L}\p{N}]/u.test(text));
}

/** Whether an element without a ref has a line. */
function isShown(node: TreeNode, { lines, repeatsOwner }: { readonly lines: number; readonly repeatsOwner: boolean }): boolean {
  const { role } = node;
  const least = GROUPS.get(role);
  if (least !== undefined) return lines >= least;
  if (toKey(nameOf(node)) === '' || repeatsOwner) return false;
  return !NAMED_GROUPS.has(role) || lines > 0;
}

/** Contains other elements, from which its name may come. */
export function isGroup(role: string): boolean {
  return GROUPS.has(role) || NAMED_GROUPS.has(role);
}

/** The text of a label repeats the name of its control. */
function collectControls(node: TreeNode, names: Set<string>): void {
  if (isActionable(node)) names.add(toKey(nameOf(node)));
  for (const child of node.children) collectControls(child, names);
}

/** Where a box in CSS pixels of the document is. */
export function placeOf({ x, y, width, height }: Rect, viewport: Rect): Place {
  if (y + height <= viewport.y) return 'above';
  if (y >= viewport.y + viewport.height || x >= viewport.x + viewport.width || x + width <= viewport.x) return 'below';
  return 'viewport';
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

function toKey(text: string): string {
  return oneLine(text).toLowerCase();
}

/** Where an element is, relative to the viewport; `below` includes its right and left. */
type Place = 'viewport' | 'above' | 'below';

/** One line of a snapshot. */
export interface Line {
  readonly text: string;
  readonly depth: number;
  readonly place: Place;
  /** Of an element that a user can interact with. */
  readonly ref: string | undefined;
  /** CSS pixels of the document; null if the element has no box. */
  readonly bounds: Rect | null;
  /** The element's name in lower case. */
  readonly name: string;
  readonly isText: boolean;
}

/** One thing with its lines: it is not split at the edge of the viewport, up to a number of lines. */
const ITEMS: ReadonlySet<string> = new Set(['article', 'listitem', 'row']);
const MAX_ITEM = 20;
/** Say nothing about a single element in them. */
const CELLS: ReadonlySet<string> = new Set(['cell', 'columnheader', 'gridcell', 'rowheader']);
/** Say nothing as the only element of something else. */
const ONLY: ReadonlySet<string> = new Set(['article', 'listitem']);

/** Whether the lines in an element say its name. */
function saysName(lines: readonly Line[], name: string): boolean {
  if (lines.some((line) => line.name === name)) return true;
  const names = lines.filter(({ depth }) => depth === 0).map((line) => line.name);
  return compact(names.join('')) === compact(name);
}

/** The lines of an element with the lines in it, without wrappers that add nothing. Its role is the whole text of such a wrapper. */
function nestLines(head: Line, lines: readonly Line[]): readonly Line[] {
  const isSingle = lines.filter(({ depth }) => depth === 0).length === 1;
  // The cell of a table that is only layout.
  if (head.text === 'text' || (isSingle && CELLS.has(head.text))) return lines;
  const [first, ...rest] = lines;
  const isOnly = isSingle && first !== undefined && ONLY.has(first.text) && head.ref === undefined;
  const inner = isOnly ? rest.map((line) => ({ ...line, depth: line.depth - 1 })) : lines;
  const isInView = inner.some(({ place }) => place === 'viewport');
  const [role = ''] = head.text.split(' ', 1);
  const isWhole = isInView && ITEMS.has(role) && inner.length <= MAX_ITEM;
  const moved = inner.map((line) => ({ ...line, depth: line.depth + 1, ...(isWhole ? { place: 'viewport' as const } : {}) }));
  return [{ ...head, place: isInView ? 'viewport' : head.place }, ...moved];
}

/** The lines of a paragraph: texts that follow one another are one. */
function joinTexts(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const [, start] = /^(text ".*)"$/.exec(before?.text ?? '') ?? [];
    const [, end] = /^text "(.*)$/.exec(line.text) ?? [];
    const isOne = before?.isText === true && line.isText && before.depth === line.depth && before.place === line.place;
    if (!isOne || start === undefined || end === undefined) joined.push(line);
    else joined.splice(-1, 1, { ...before, text: `${start} ${end}`, name: `${before.name} ${line.name}` });
  }
  return joined;
}

function compact(text: string): string {
  return text.replaceAll(' ', '');
}
