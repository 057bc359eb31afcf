import type { DomDocument, DomNode } from '../document.js';

/**
 * The paint order of a document's nodes, by node index. The browser's rank counts layers: it places layers of negative z-index after the
 * layer of their stacking context, although they are painted between the context's own box and its content (CSS 2, appendix E).
 */
export function paintOrders({ nodes }: DomDocument): readonly number[] {
  const contexts = stackingContexts(nodes);
  const lowest = new Map<DomNode, number>();
  for (const node of nodes) {
    const context = nodes[contexts[node.parent] ?? -1];
    if (context === undefined || !isNegativeLayer(node, nodes)) continue;
    const order = highestIn(node, nodes);
    lowest.set(context, Math.max(order, lowest.get(context) ?? 0));
  }
  return nodes.map((node) => {
    const order = node.box?.order ?? 0;
    const context = nodes[contexts[node.parent] ?? -1];
    const below = context === undefined ? undefined : lowest.get(context);
    return below !== undefined && order === context?.box?.order ? below + 0.5 : order;
  });
}

/** The nearest stacking context of each node: the node itself or an ancestor. */
function stackingContexts(nodes: readonly DomNode[]): readonly number[] {
  const contexts: number[] = [];
  for (const { index, parent, box } of nodes) contexts.push(box?.stacking === true ? index : (contexts[parent] ?? -1));
  return contexts;
}

function isNegativeLayer({ parent, box, kind }: DomNode, nodes: readonly DomNode[]): boolean {
  if (kind !== 'element' || box === undefined || box.style.zIndex >= 0 || box.style.topmost) return false;
  return box.style.position !== 'static' || nodes[parent]?.box?.style.flexible === true;
}

function highestIn({ index, end }: DomNode, nodes: readonly DomNode[]): number {
  let highest = 0;
  for (let at = index; at <= end; at += 1) {
    const node = nodes[at];
    // The top layer is above everything, regardless of document order.
    if (node?.box?.style.topmost === true) at = node.end;
    else highest = Math.max(highest, node?.box?.order ?? 0);
  }
  return highest;
}
