export { captureTree, type TreeCaptureOptions } from './capture-tree.js';
export { isInteractive } from './ax-node.js';
export { runYielding, shouldYield } from './yielding.js';
export { ATTRIBUTES } from './tree-capture.js';
export type { Cursor, TreeAttributes, TreeCapture, TreeFrame, TreeNode, TreeState } from './tree-capture.js';
