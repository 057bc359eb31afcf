import { addMissing } from './add-missing.js';
import type { DomNode } from './document.js';
import { draftNode, textOf, type Draft, type DraftedFrame } from './draft.js';
import { roleOf, type AxNode } from './load-frames.js';
import { isTelling, readState } from './read-state.js';
import { isContainer, isHelper, isPlugin } from './roles.js';
import { settle } from './settle.js';

/** What the frame that an element shows holds; undefined where the element shows none that could be read. */
export type FrameContent = (owner: DomNode) => { readonly url: string; readonly children: readonly Draft[] } | undefined;

const NOTHING: readonly Draft[] = [];

/**
 * A frame's tree, without the document itself: what the browser ignores is left out and its children take its place; what can be
 * used and is not in the browser's tree is added.
 */
export function outlineFrame(frame: DraftedFrame, contentOf: FrameContent): readonly Draft[] {
  const { ax, document } = frame.seen.loaded;
  const byId = new Map(ax.map((node) => [node.nodeId, node]));
  const outlineAll = ({ childIds }: AxNode): readonly Draft[] => {
    if (childIds === undefined || childIds.length === 0) return NOTHING;
    const outlined: Draft[] = [];
    for (const id of childIds) {
      const child = byId.get(id);
      // Each node once, whatever the ids say.
      byId.delete(id);
      if (child === undefined) continue;
      for (const draft of outline(child)) outlined.push(draft);
    }
    return outlined;
  };
  const outline = (node: AxNode): readonly Draft[] => {
    const dom = document.byBackendId.get(node.backendDOMNodeId ?? -1);
    // Each use of a pattern has its own copy in the browser's tree.
    if (isHelper(roleOf(node)) || dom?.drawing === 'pattern') return NOTHING;
    const content = dom && contentOf(dom);
    const children = content?.children ?? outlineAll(node);
    if (!isKept(node) && !(dom !== undefined && frame.actions.has(dom.index))) return children;
    const draft = draftNode(node, dom, frame);
    return [content === undefined ? { ...draft, children } : { ...draft, role: frameRole(draft.role), url: content.url, children }];
  };
  const [root] = ax;
  const outlined = root === undefined ? [] : outlineAll(root);
  return settle(addMissing(outlined, frame), document);
}

/** A document in an `<object>` or `<embed>` is one in a frame. */
function frameRole(role: string): string {
  return isPlugin(role) ? 'Iframe' : role;
}

/** A container stays for its name, and for what is said of all that is in it. */
function isKept(node: AxNode): boolean {
  return !node.ignored && (!isContainer(roleOf(node)) || textOf(node.name).trim() !== '' || isTelling(readState(node)));
}
