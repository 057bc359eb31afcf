import { FlatTree } from '@platen/lib-page-functions';
import type { Place, TargetFacts } from '../script.js';
import { LocatorFinder } from './locator-finder.js';

/** The purpose of an element. */
export type Use = 'fill' | 'select' | 'check' | 'upload' | 'frame' | 'other';

/** State between the functions, in our isolated world. */
interface RootsWorld {
  platenRoots?: ParentNode[] | undefined;
}

/** Scripts cannot find closed shadow trees by themselves. */
export function addClosedRoot(_: Element, root: Node): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & RootsWorld;
  if (root instanceof ShadowRoot) (world.platenRoots ??= []).push(root);
}

/** The control of a label or a wrapper. */
export function findControl(element: Element, use: Use): Element {
  const selectors: Partial<Record<Use, string>> = {
    fill: 'input:not([type=hidden]), textarea, select, [contenteditable]:not([contenteditable=false])',
    select: 'select',
    check: 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role^=menuitem]',
    upload: 'input[type=file]',
  };
  const selector = selectors[use];
  if (selector === undefined || element.matches(selector)) return element;
  const label = element.closest('label');
  // A box that is checked by its label is often hidden.
  if (label?.control?.matches(selector) === true) return use === 'check' ? label : label.control;
  const inside = new FlatTree().elements(element).filter((one) => one.matches(selector));
  return (inside.length === 1 ? inside[0] : undefined) ?? element;
}

/** Uses up the closed roots that were added. */
export function readPlace(element: Element, use: Use): Place & { readonly facts: TargetFacts } {
  // See above.
  const world = globalThis as typeof globalThis & RootsWorld;
  const tree = new FlatTree();
  const trees = new Set([...tree.trees<ParentNode>(document), ...(world.platenRoots ?? []).flatMap((root) => tree.trees(root))]);
  world.platenRoots = undefined;
  const finder = new LocatorFinder(element, [...trees]);
  const modes: ShadowRootMode[] = [];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) modes.push(root.mode);
  return {
    locators: use === 'frame' ? finder.listFrame() : finder.list(),
    shadow: modes.length === 0 ? 'none' : modes.includes('closed') ? 'closed' : 'open',
    facts: {
      isNativeSelect: element instanceof HTMLSelectElement,
      isFileInput: element instanceof HTMLInputElement && element.type === 'file',
      isOpen: element.matches('[role=listbox], [aria-expanded=true]') || element.closest('[role=listbox]') !== null,
    },
  };
}
