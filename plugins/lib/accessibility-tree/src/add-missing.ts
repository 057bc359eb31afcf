import type { DomNode } from './document.js';
import { draftNode, type Draft, type DraftedFrame } from './draft.js';

/** Adds nodes for usable elements that have none yet, in document order. The elements inside such an element become its children. */
export function addMissing(drafts: readonly Draft[], frame: DraftedFrame): readonly Draft[] {
  const { nodes } = frame.seen.document;
  const drafted = indicesOf(drafts);
  const homes = new Map<number, DomNode[]>();
  for (const index of frame.actions.keys()) {
    const node = nodes[index];
    if (node === undefined || drafted.has(index)) continue;
    const home = homeOf(node, { nodes, drafted });
    const guests = homes.get(home);
    if (guests === undefined) homes.set(home, [node]);
    else guests.push(node);
  }
  if (homes.size === 0) return drafts;
  const complete = (children: readonly Draft[], home: number): readonly Draft[] => {
    const completed = children.map((child) =>
      child.children.length === 0 && !homes.has(child.dom?.index ?? -1) ? child : completeDraft(child),
    );
    return merge(completed, homes.get(home) ?? [], (node) => draftNode(undefined, node, frame));
  };
  const completeDraft = (draft: Draft): Draft =>
    draft.frameId === frame.seen.document.frameId ? { ...draft, children: complete(draft.children, draft.dom?.index ?? NONE) } : draft;
  return complete(drafts, ROOT);
}

/** A node without an index: the document, or generated content. */
const ROOT = -1;
const NONE = -2;

/** Per frame: nodes of child frames are counted separately. */
function indicesOf(drafts: readonly Draft[]): ReadonlySet<number> {
  const frameId = drafts[0]?.frameId;
  const indices = new Set<number>();
  const visit = (draft: Draft): void => {
    if (draft.frameId !== frameId) return;
    if (draft.dom !== undefined) indices.add(draft.dom.index);
    draft.children.forEach(visit);
  };
  drafts.forEach(visit);
  return indices;
}

function homeOf(node: DomNode, { nodes, drafted }: { readonly nodes: readonly DomNode[]; readonly drafted: ReadonlySet<number> }): number {
  let at = nodes[node.parent];
  while (at !== undefined && !drafted.has(at.index)) at = nodes[at.parent];
  return at?.index ?? ROOT;
}

interface Open {
  readonly node: DomNode;
  readonly children: Draft[];
}

/** Both lists are in document order, except for nodes that `aria-owns` has moved. */
function merge(children: readonly Draft[], guests: readonly DomNode[], draft: (node: DomNode) => Draft): readonly Draft[] {
  const result: Draft[] = [];
  const open: Open[] = [];
  const listAt = (index: number): Draft[] => {
    while (index > (open.at(-1)?.node.end ?? Infinity)) open.pop();
    return open.at(-1)?.children ?? result;
  };
  let next = 0;
  const openUpTo = (index: number): void => {
    for (let guest = guests[next]; guest !== undefined && guest.index < index; guest = guests[next]) {
      const inner: Draft[] = [];
      listAt(guest.index).push({ ...draft(guest), children: inner });
      open.push({ node: guest, children: inner });
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
