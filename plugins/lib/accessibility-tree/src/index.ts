/**
 * Reads a page's accessibility tree at any moment of a render: all frames, the box of every node, clickable elements that the browser's
 * tree does not mark, and visibility. For plugins that act on or describe a page; the capture kind `accessibility` uses it for outputs.
 *
 * One `Accessibility.getFullAXTree` for each frame and one `DOMSnapshot.captureSnapshot` for each process; no queries per node. The tree
 * is built in slices of 20 ms. `ref` is valid for one capture. `visible` reports whether a user can see a part of the node, whatever the
 * scroll position. The entry `/visibility` determines visibility by computed style alone and can run in pages.
 *
 * Limits: only background colors cover other content; animations are not read; the fallback content of an `<object>` is disabled, as in
 * Chromium's tree.
 *
 * @packageDocumentation
 */

export { captureTree, readTree, type TreeCaptureOptions } from './capture-tree.js';
export { isInteractive } from './ax-node.js';
export { runYielding, shouldYield } from './yielding.js';
export { ATTRIBUTES } from './tree-capture.js';
export type { Cursor, TreeAttributes, TreeCapture, TreeFrame, TreeNode, TreeState } from './tree-capture.js';
