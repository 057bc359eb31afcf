import { isInteractive, runYielding, shouldYield, type TreeCapture, type TreeNode } from '@platen/lib-accessibility-tree';
import type { KnownElement } from './ref-table.js';

/** CSS pixels of a side in which nothing can be recognized. */
const SLIVER = 2;

/** A user can interact with the element. */
export function isActionable({ role, cursor }: TreeNode): boolean {
  return isInteractive(role) || cursor !== undefined;
}

/** The options of a closed list are part of its own line. Images and controls of a pixel or two are there for programs. */
export function isOmitted(node: TreeNode): boolean {
  const { visible, role, bounds, children } = node;
  if (!visible || role === 'ListMarker' || (role === 'option' && bounds === null)) return true;
  if (bounds === null || children.length > 0 || !(role === 'image' || isActionable(node))) return false;
  const side = Math.min(bounds.width, bounds.height);
  // A box without an area is visible by its content.
  return side > 0 && side <= SLIVER;
}

/** The node's name without text that a user cannot see. */
export function nameOf({ name, shownName = name }: TreeNode): string {
  return shownName;
}

/** Finds the element of a node of the tree that a user can interact with; undefined if they cannot. */
export function createElementReader({ frames }: TreeCapture): (node: TreeNode) => KnownElement | undefined {
  const targets = new Map(frames.map(({ frameId, targetId }) => [frameId, targetId]));
  return (node) => {
    const { frameId, backendDOMNodeId, role } = node;
    const targetId = targets.get(frameId);
    if (!isActionable(node) || backendDOMNodeId === undefined || targetId === undefined) return undefined;
    return { targetId, frameId, backendDOMNodeId, role, name: nameOf(node) };
  };
}

/** The visible elements of a page that a user can interact with, in document order. */
export function listActionable(tree: TreeCapture): Promise<readonly KnownElement[]> {
  const elementOf = createElementReader(tree);
  const found: KnownElement[] = [];
  function* visit(node: TreeNode): Generator<void, void> {
    if (shouldYield()) yield;
    if (isOmitted(node)) return;
    const element = elementOf(node);
    if (element !== undefined) found.push(element);
    for (const child of node.children) yield* visit(child);
  }
  return runYielding(visit(tree.root)).then(() => found);
}
