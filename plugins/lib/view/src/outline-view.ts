import type { Rect } from '@platen/kernel';
import { runYielding, shouldYield, type TreeNode } from '@platen/lib-accessibility-tree';
import { createElementReader, isActionable, isOmitted, nameOf } from './actionable.js';
import type { ViewCapture } from './capture-view.js';
import { describeNode, oneLine } from './describe-node.js';
import { joinTexts, type Line, nestLines, type Place, saysName } from './nest-lines.js';

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

interface Around {
  /** The name of the element that the text belongs to; it repeats the text. */
  readonly said: string;
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
  function* visitAll(nodes: readonly TreeNode[], around: Around): Generator<void, readonly Line[]> {
    const lines: Line[] = [];
    for (const node of nodes) for (const line of yield* visit(node, around)) lines.push(line);
    return lines;
  }
  function* visit(node: TreeNode, around: Around): Generator<void, readonly Line[]> {
    if (shouldYield()) yield;
    if (isOmitted(node)) return [];
    const name = toKey(nameOf(node));
    const isSaid = repeats(name, around.said) || (around.isLabel && controls.has(name));
    const place = node.bounds === null ? around.place : placeOf(node.bounds, viewport);
    const line = { depth: 0, place, ref: undefined, bounds: node.bounds, name, isText: node.role === 'StaticText' };
    const facts = { ref: undefined, origin, isNamed: true, redact };
    if (line.isText) return isSaid ? [] : [{ ...line, text: describeNode(node, facts) }];
    const isLinkRefused = node.role === 'link' && node.url !== undefined && !allowsUrl(node.url);
    const isRefused = around.isRefused || isLinkRefused;
    const ref = isRefused ? undefined : refOf(node);
    const said = ref === undefined && !isLinkRefused ? around.said : `${name} ${toKey(String(node.value ?? ''))}`;
    const isLabel = around.isLabel || node.role === 'LabelText';
    const inside = yield* visitAll(node.children, { said, place, isLabel, isRefused });
    const below = node.role === 'paragraph' ? joinTexts(inside) : inside;
    if (isLinkRefused && (name === '' || isSaid)) return below;
    if (ref === undefined && !isLinkRefused && !isShown(node, { lines: below.length, isSaid })) return below;
    const inner = below.filter((one) => !one.isText || one.name !== name);
    const isRepeated = ref === undefined && saysName(inner, name);
    // What it says is not repeated below an element that can be acted on.
    const isNamed = !isRepeated && (ref !== undefined || !NAMED_BY_CONTENT.has(node.role));
    const text = isLinkRefused ? describeNode({ ...node, role: 'StaticText' }, facts) : describeNode(node, { ...facts, ref, isNamed });
    return nestLines({ ...line, ref, isText: isLinkRefused, text }, inner);
  }
  return runYielding(visitAll(tree.root.children, { said: '', place: 'viewport', isLabel: false, isRefused: false }));
}

/** Whether an element has said the text: it is part of its name, or a symbol without letters (`×`) in something that has a name. */
function repeats(text: string, said: string): boolean {
  return said.includes(text) || (said.trim() !== '' && !/[\p{L}\p{N}]/u.test(text));
}

/** Whether an element without a ref has a line. */
function isShown(node: TreeNode, { lines, isSaid }: { readonly lines: number; readonly isSaid: boolean }): boolean {
  const { role } = node;
  const least = GROUPS.get(role);
  if (least !== undefined) return lines >= least;
  if (toKey(nameOf(node)) === '' || isSaid) return false;
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
