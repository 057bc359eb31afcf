import type { DomNode } from './document.js';
import { draftNode, type Draft, type DraftedFrame } from './draft.js';

/** The index of a node without one: the document, or generated content. */
const ROOT = -1;
const NONE = -2;

/** Adds nodes for usable elements and shown texts that have none yet, in document order. The elements inside such an element become its children. */
export function addMissing(drafts: readonly Draft[], frame: DraftedFrame): readonly Draft[] {
  const { document } = frame.placed;
  const missingByParent = groupMissing(drafts, frame);
  if (missingByParent.size === 0) return drafts;
  const complete = (children: readonly Draft[], parent: number): readonly Draft[] => {
    const completed = children.map((child) => {
      const index = child.dom?.index ?? NONE;
      const isWhole = child.frameId !== document.frameId || (child.children.length === 0 && !missingByParent.has(index));
      return isWhole ? child : { ...child, children: complete(child.children, index) };
    });
    return merge(completed, missingByParent.get(parent) ?? [], (node) => draftNode(undefined, node, frame));
  };
  return complete(drafts, ROOT);
}

/** By the index of the nearest ancestor that has a node. */
function groupMissing(drafts: readonly Draft[], { placed, actions, texts }: DraftedFrame): ReadonlyMap<number, readonly DomNode[]> {
  const { frameId, nodes } = placed.document;
  const drafted = new Set<number>();
  const visit = (draft: Draft): void => {
    // Nodes of child frames have indices of their own.
    if (draft.frameId !== frameId) return;
    if (draft.dom !== undefined) drafted.add(draft.dom.index);
    draft.children.forEach(visit);
  };
  drafts.forEach(visit);
  const missing = new Map<number, DomNode[]>();
  for (const index of [...new Set([...actions.keys(), ...texts.keys()])].sort((one, other) => one - other)) {
    const node = nodes[index];
    if (node === undefined || drafted.has(index)) continue;
    let parent = nodes[node.parent];
    while (parent !== undefined && !drafted.has(parent.index)) parent = nodes[parent.parent];
    const known = missing.get(parent?.index ?? ROOT);
    if (known === undefined) missing.set(parent?.index ?? ROOT, [node]);
    else known.push(node);
  }
  return missing;
}

/** Both lists are in document order, except for nodes that `aria-owns` has moved. */
function merge(children: readonly Draft[], missing: readonly DomNode[], draft: (node: DomNode) => Draft): readonly Draft[] {
  const result: Draft[] = [];
  const open: { readonly node: DomNode; readonly children: Draft[] }[] = [];
  const listAt = (index: number): Draft[] => {
    while (index > (open.at(-1)?.node.end ?? Infinity)) open.pop();
    return open.at(-1)?.children ?? result;
  };
  let next = 0;
  const openUpTo = (index: number): void => {
    for (let node = missing[next]; node !== undefined && node.index < index; node = missing[next]) {
      const inner: Draft[] = [];
      listAt(node.index).push({ ...draft(node), children: inner });
      open.push({ node, children: inner });
      next += 1;
    }
  };
  let last = 0;
  for (const child of children) {
    last = child.dom?.index ?? last;
    openUpTo(last);
    listAt(last).push(child);
  }
  openUpTo(Infinity);
  return result;
}
