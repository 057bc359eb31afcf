import type { TreeNode } from '@platen/lib-accessibility-tree';

/** Filters to visible nodes and the ancestors of visible nodes. The refs are those of the whole tree. */
export function keepVisible(node: TreeNode): TreeNode {
  return { ...node, children: node.children.filter(({ visible }) => visible).map(keepVisible) };
}
