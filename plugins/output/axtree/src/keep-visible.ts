import type { TreeNode } from '@platen/lib-accessibility-tree';

/** Only what a person can see; what holds something visible stays. The refs are those of the whole tree. */
export function keepVisible(node: TreeNode): TreeNode {
  return { ...node, children: node.children.filter(({ visible }) => visible).map(keepVisible) };
}
