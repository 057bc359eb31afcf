import { type AxNode, hasOwnState, isContainer, isHelper, isPlugin, isText, readState, roleOf, textOf } from './ax-node.js';
import { addMissing } from './add-missing.js';
import type { DomNode } from './document.js';
import { type Draft, type DraftedFrame, draftNode, withoutData } from './draft.js';
import { isHiddenText, settleNames } from './names.js';
import { canvasArea } from './placement.js';
import { runYielding, shouldYield } from './yielding.js';

const NO_CHILDREN: readonly Draft[] = [];

/** What a frame's owner element contains. */
interface FrameContent {
  readonly url: string;
  readonly children: readonly Draft[];
}

/** Children come after their parents: outlining from the last frame to the first makes each child's outline available to its parent. */
export async function outlineTree([main, ...others]: readonly DraftedFrame[]): Promise<Draft> {
  if (main === undefined) throw new Error('the page has no document');
  const contents = new Map<DomNode, FrameContent>();
  for (const frame of others.reverse()) {
    const { owner, document } = frame.placed;
    if (owner !== undefined) contents.set(owner.node, { url: withoutData(document.url), children: await outlineFrame(frame, contents) });
  }
  const { document, loaded } = main.placed;
  const root = draftNode(loaded.ax[0], document.nodes[0], main);
  return { ...root, name: document.title, bounds: canvasArea(document), children: await outlineFrame(main, contents) };
}

/**
 * A frame's tree without the document itself. Ignored nodes are omitted and replaced by their children; usable elements that the browser's
 * tree lacks are added.
 */
async function outlineFrame(frame: DraftedFrame, contents: ReadonlyMap<DomNode, FrameContent>): Promise<readonly Draft[]> {
  const outlined = await runYielding(outline(frame, contents));
  return runYielding(settleNames(addMissing(outlined, frame), frame));
}

function* outline(frame: DraftedFrame, contents: ReadonlyMap<DomNode, FrameContent>): Generator<void, readonly Draft[]> {
  const { ax, document } = frame.placed.loaded;
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
      const content = dom && contents.get(dom);
      const { childIds = [] } = node;
      // Text nodes contain only helper nodes.
      const isLeaf = childIds.length === 0 || isText(roleOf(node));
      const children = content?.children ?? (isLeaf ? NO_CHILDREN : yield* outlineAll(childIds));
      if (!isIncluded(node) && !(dom !== undefined && frame.actions.has(dom.index))) {
        const isHidden = dom?.tag.startsWith('::') === true && isHiddenText(dom, frame.visibility);
        for (const child of children) outlined.push(isHidden ? { ...child, isHidden } : child);
        continue;
      }
      const draft = draftNode(node, dom, frame);
      // A document in an `<object>` or `<embed>` counts as a frame.
      const role = content !== undefined && isPlugin(draft.role) ? 'Iframe' : draft.role;
      outlined.push(content === undefined ? { ...draft, children } : { ...draft, role, url: content.url, children });
    }
    return outlined;
  }
  return yield* outlineAll(ax[0]?.childIds ?? []);
}

/** A container is included if it has a name or a property that applies to all its descendants. */
function isIncluded(node: AxNode): boolean {
  return !node.ignored && (!isContainer(roleOf(node)) || textOf(node.name).trim() !== '' || hasOwnState(readState(node)));
}
