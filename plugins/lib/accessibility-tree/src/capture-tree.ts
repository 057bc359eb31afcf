import type { Page } from '@platen/kernel';
import type { DomNode } from './document.js';
import { draftNode, finishDraft, withoutData, type Draft, type DraftedFrame } from './draft.js';
import { findActions } from './find-actions.js';
import { loadShown } from './load-shown.js';
import { outlineFrame } from './outline.js';
import { runYielding, shouldYield } from './yielding.js';
import { canvasArea } from './placement.js';
import { computeFrames, type SeenFrame } from './visibility/compute-frames.js';
import { computeVisibility, type Visibility } from './visibility/visibility.js';
import type { TreeCapture, TreeNode } from './tree-capture.js';

export interface TreeCaptureOptions {
  /** Timeout in milliseconds for a frame in another process; longer if the page itself takes longer. Default 2,000. */
  readonly frameTimeoutMs?: number;
}

const FRAME_MS = 2_000;

/**
 * Captures the page's current accessibility tree with all its frames. May be called at any moment of a render. A frame that crashes,
 * navigates or does not respond meanwhile becomes a leaf. Rejects if the page itself does not respond.
 */
export async function captureTree(page: Page, { frameTimeoutMs = FRAME_MS }: TreeCaptureOptions = {}): Promise<TreeCapture> {
  const seen = await computeFrames(await loadShown(page, frameTimeoutMs), page.profile);
  const visibility = await computeVisibility(seen);
  const [main] = seen;
  if (main === undefined) throw new Error('the page has no document');
  const { title, url } = main.document;
  const drafted: DraftedFrame[] = [];
  for (const frame of seen) drafted.push(await draftFrame(frame, visibility.get(frame)));
  const tree = await outlineTree(drafted);
  return {
    title,
    url,
    root: await number({ ...tree, name: title }),
    frames: seen.map(({ document, loaded: { targetId } }) => ({ frameId: document.frameId, targetId, url: withoutData(document.url) })),
  };
}

async function draftFrame(seen: SeenFrame, visibility: Visibility = { own: new Set(), content: new Set() }): Promise<DraftedFrame> {
  const { ax, document } = seen.loaded;
  const exposed = new Map(
    ax.flatMap((node) => (node.ignored || node.backendDOMNodeId === undefined ? [] : [[node.backendDOMNodeId, node] as const])),
  );
  return { seen, visibility, actions: await findActions({ document, exposed, ax, visibility, areas: seen.sights }) };
}

/** Children come after their parents: outlining from the last frame to the first makes each child's outline available to its parent. */
async function outlineTree(frames: readonly DraftedFrame[]): Promise<Draft> {
  const contents = new Map<DomNode, { readonly url: string; readonly children: readonly Draft[] }>();
  const [main, ...others] = frames;
  for (const frame of others.reverse()) {
    const { owner, document } = frame.seen;
    if (owner === undefined) continue;
    contents.set(owner.node, { url: withoutData(document.url), children: await outlineFrame(frame, (node) => contents.get(node)) });
  }
  if (main === undefined) throw new Error('the page has no document');
  const { document, loaded } = main.seen;
  const root = draftNode(loaded.ax[0], document.nodes[0], main);
  return { ...root, bounds: canvasArea(document), children: await outlineFrame(main, (node) => contents.get(node)) };
}

/** Generated content (`::before`) is visible if its element is; the selected option is visible in its closed list. */
function isShownByParent({ role, bounds, state, dom }: Draft): boolean {
  return dom === undefined || (role === 'option' && bounds === null && state.selected === true);
}

/** Assigns every node its ref, in tree order. */
async function number(root: Draft): Promise<TreeNode> {
  let next = 0;
  function* finish(node: Draft, above: Pick<TreeNode, 'visible'>): Generator<void, TreeNode> {
    const ref = `e${String(next)}`;
    next += 1;
    const own = isShownByParent(node) ? above.visible : node.visible;
    const around = { visible: own };
    let visible = own;
    const children: TreeNode[] = [];
    for (const child of node.children) {
      if (shouldYield()) yield;
      const finished = child.children.length === 0 ? finishLeaf(child, around) : yield* finish(child, around);
      children.push(finished);
      visible ||= finished.visible;
    }
    return finishDraft(node, { ref, visible, children });
  }
  const finishLeaf = (node: Draft, above: Pick<TreeNode, 'visible'>): TreeNode => {
    const ref = `e${String(next)}`;
    next += 1;
    return finishDraft(node, { ref, visible: isShownByParent(node) ? above.visible : node.visible, children: [] });
  };
  return { ...(await runYielding(finish(root, { visible: true }))), visible: true };
}
