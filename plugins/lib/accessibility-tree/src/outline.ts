import { addMissing } from './add-missing.js';
import type { DomNode } from './document.js';
import { draftNode, textOf, type Draft, type DraftedFrame } from './draft.js';
import { roleOf, type AxNode } from './load-frames.js';
import { runYielding, shouldYield } from './yielding.js';
import { isTelling, readState } from './read-state.js';
import { isContainer, isHelper, isPlugin, isText } from './roles.js';
import { settle } from './settle.js';

/** The content of the frame that an element owns; undefined if there is no readable frame. */
export type FrameContent = (owner: DomNode) => { readonly url: string; readonly children: readonly Draft[] } | undefined;

const NOTHING: readonly Draft[] = [];

/**
 * A frame's tree without the document itself. Ignored nodes are omitted and replaced by their children; usable elements that the browser's
 * tree lacks are added.
 */
export async function outlineFrame(frame: DraftedFrame, contentOf: FrameContent): Promise<readonly Draft[]> {
  const { document } = frame.seen;
  const outlined = await runYielding(outline(frame, contentOf));
  return runYielding(settle(addMissing(outlined, frame), document));
}

function* outline(frame: DraftedFrame, contentOf: FrameContent): Generator<void, readonly Draft[]> {
  const { ax, document } = frame.seen.loaded;
  const byId = new Map(ax.map((node) => [node.nodeId, node]));
  function* outlineAll(ids: readonly string[]): Generator<void, readonly Draft[]> {
    const outlined: Draft[] = [];
    for (const id of ids) {
      if (shouldYield()) yield;
      const node = byId.get(id);
      // Visit each node once, even if ids repeat.
      byId.delete(id);
      if (node === undefined || isHelper(roleOf(node))) continue;
      const dom = document.byBackendId.get(node.backendDOMNodeId ?? -1);
      // The browser's tree has a copy of a pattern for each use.
      if (dom?.drawing === 'pattern') continue;
      const content = dom && contentOf(dom);
      const { childIds = [] } = node;
      // Text nodes contain only helper nodes.
      const isLeaf = childIds.length === 0 || isText(roleOf(node));
      const children = content?.children ?? (isLeaf ? NOTHING : yield* outlineAll(childIds));
      if (!isKept(node) && !(dom !== undefined && frame.actions.has(dom.index))) {
        for (const child of children) outlined.push(child);
        continue;
      }
      const draft = draftNode(node, dom, frame);
      outlined.push(content === undefined ? { ...draft, children } : { ...draft, role: frameRole(draft.role), url: content.url, children });
    }
    return outlined;
  }
  return yield* outlineAll(ax[0]?.childIds ?? []);
}

/** A document in an `<object>` or `<embed>` counts as a frame. */
function frameRole(role: string): string {
  return isPlugin(role) ? 'Iframe' : role;
}

/** A container is included if it has a name or a property that applies to all its descendants. */
function isKept(node: AxNode): boolean {
  return !node.ignored && (!isContainer(roleOf(node)) || textOf(node.name).trim() !== '' || isTelling(readState(node)));
}
