import type { Rect } from '@platen/kernel';
import { runYielding, shouldYield, type TreeNode } from '@platen/lib-accessibility-tree';
import type { ViewCapture } from './capture-view.js';
import { oneLine, redactLine } from './describe-node.js';
import { isGroup, placeOf } from './outline-view.js';

/** The boxes in the viewport, in CSS pixels of the document, of the elements whose text is redacted; of a group only the parts in it. */
export async function findMasks({ tree, viewport }: ViewCapture, redact: (text: string) => string): Promise<readonly Rect[]> {
  const masks: Rect[] = [];
  const isRedacted = (text: string) => text !== '' && redactLine(text, redact) !== oneLine(text);
  /** Whether the node or a node in it has such a text. */
  function* visit(node: TreeNode): Generator<void, boolean> {
    if (shouldYield()) yield;
    if (!node.visible) return false;
    const { name, value = '', attrs, bounds } = node;
    let isWithin = false;
    for (const child of node.children) isWithin = (yield* visit(child)) || isWithin;
    const isOwn =
      isRedacted(String(value)) || isRedacted(attrs.placeholder ?? '') || (!(isWithin && isGroup(node.role)) && isRedacted(name));
    if (isOwn && bounds !== null && placeOf(bounds, viewport) === 'viewport') masks.push(bounds);
    return isOwn || isWithin;
  }
  for (const child of tree.root.children) await runYielding(visit(child));
  return masks;
}
