import { isInteractive, runYielding, shouldYield, type TreeCapture, type TreeNode } from '@platen/lib-accessibility-tree';
import type { KnownElement } from './ref-table.js';

/** Text of one or two pixels is not meant for readers. */
const SMALLEST_TEXT = 3;

/** A user can interact with the element. */
export function isActionable({ role, cursor }: TreeNode): boolean {
  return isInteractive(role) || cursor !== undefined;
}

/** The options of a closed list are part of its own line. */
export function isOmitted({ visible, role, bounds }: TreeNode): boolean {
  if (!visible || role === 'ListMarker' || (role === 'option' && bounds === null)) return true;
  return role === 'StaticText' && bounds !== null && bounds.height < SMALLEST_TEXT;
}

/** Finds the element of a node of the tree that a user can interact with; undefined if they cannot. */
export function createElementReader({ frames }: TreeCapture): (node: TreeNode) => KnownElement | undefined {
  const targets = new Map(frames.map(({ frameId, targetId }) => [frameId, targetId]));
  return (node) => {
    const { frameId, backendDOMNodeId, role, name } = node;
    const targetId = targets.get(frameId);
    if (!isActionable(node) || backendDOMNodeId === undefined || targetId === undefined) return undefined;
    return { targetId, frameId, backendDOMNodeId, role, name };
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
