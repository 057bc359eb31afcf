import { FlatTree } from '@platen/lib-page-functions';

export interface Part {
  readonly by: string;
  readonly text?: string;
}

/** What counts as a match: an element that is shown, or any. */
export type Sight = 'shown' | 'any';

interface Search {
  readonly parts: readonly Part[];
  readonly sight: Sight;
}

/** The first match. Scripts cannot find closed shadow trees by themselves. */
export function findMatch({ parts, sight }: Search, ...closed: readonly Node[]): Element | null {
  return searchAll(parts, closed).find((element) => sight === 'any' || isShown(element)) ?? null;
}

export function countMatches({ parts }: Search, ...closed: readonly Node[]): number {
  return searchAll(parts, closed).length;
}

/** How an element is seen; undefined if it is not within the other one, in whatever shadow tree of that. */
export function sightWithin(element: Element, outer: Element): Sight | undefined {
  let at: Node | null = element;
  while (at !== null && at !== outer) at = at instanceof ShadowRoot ? at.host : at.parentNode;
  return at === null ? undefined : isShown(element) ? 'shown' : 'any';
}

function searchAll(parts: readonly Part[], closed: readonly Node[]): readonly Element[] {
  const tree = new FlatTree();
  const hidden = closed.filter((node) => node instanceof ShadowRoot);
  let trees: readonly ParentNode[] = [document, ...hidden].flatMap((root) => tree.trees<ParentNode>(root));
  let found: readonly Element[] = [];
  for (const part of parts) {
    found = trees.flatMap((root) => matchesOf(part, root, tree));
    const roots = found.flatMap((host) => host.shadowRoot ?? hidden.find((root) => root.host === host) ?? []);
    trees = roots.flatMap((root) => tree.trees<ParentNode>(root));
  }
  return found;
}

function matchesOf({ by, text = '' }: Part, root: ParentNode, tree: FlatTree): readonly Element[] {
  if (by === 'css') return Array.from(root.querySelectorAll(text));
  if (by === 'label') return Array.from(root.querySelectorAll('*')).filter((element) => labelsOf(element).includes(text));
  return findText(text, root, tree);
}

const BUTTONS: readonly string[] = ['button', 'submit', 'reset'];

/** The innermost elements that have the text alone. Each node is read once: an ancestor of more text is not. */
function findText(text: string, root: ParentNode, tree: FlatTree): readonly Element[] {
  const found: Element[] = [];
  const fit = (given: string): string | undefined => {
    const spaced = given.replace(/\s+/g, ' ');
    return spaced.trim().length > text.length ? undefined : spaced;
  };
  /** The text of a node; undefined if it is longer. */
  const read = (node: Node): string | undefined => {
    if (node instanceof Text) return fit(node.data);
    if (node instanceof HTMLInputElement) {
      if (BUTTONS.includes(node.type) && plain(node.value) === text) found.push(node);
      return '';
    }
    const before = found.length;
    const inner = tree.childNodes(node).map(read);
    const own = inner.includes(undefined) ? undefined : fit(inner.join(''));
    const isInnermost = found.length === before;
    if (isInnermost && own?.trim() === text && node instanceof Element && !node.matches('script, style, title, head *')) found.push(node);
    return own;
  };
  read(root);
  return found;
}

/** Its label with and without the text of controls in it. */
function labelsOf(element: Element): readonly string[] {
  const labels = 'labels' in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
  const root = element.getRootNode();
  const named = root instanceof Document || root instanceof ShadowRoot ? ids.flatMap((id) => root.getElementById(id) ?? []) : [];
  const texts = [element.getAttribute('aria-label') ?? '', named.map(({ textContent }) => textContent).join(' ')];
  return [...texts, ...labels.flatMap((label) => [label.textContent ?? '', withoutControls(label)])].map(plain);
}

function withoutControls(node: Node): string {
  if (node instanceof Element && node.matches('input, select, textarea, button')) return ' ';
  return node instanceof Text ? node.data : Array.from(node.childNodes, withoutControls).join('');
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A control that is drawn by its label is shown by it. */
function isShown(element: Element): boolean {
  const labels = element instanceof HTMLInputElement ? Array.from(element.labels ?? []) : [];
  return [element, ...labels].some(
    (one) =>
      one.checkVisibility({ visibilityProperty: true }) && Array.from(one.getClientRects()).some(({ width, height }) => width * height > 0),
  );
}
