import type { Page } from '@platen/kernel';
import { type Draft, type DraftedFrame, finishDraft, withoutData } from './draft.js';
import { findActions } from './find-actions.js';
import { loadFrames } from './load-frames.js';
import { listHiddenTexts } from './names.js';
import { outlineTree } from './outline.js';
import { findShownTexts } from './shown-texts.js';
import type { TreeCapture, TreeNode } from './tree-capture.js';
import { computeFrames, type PlacedFrame } from './visibility/compute-frames.js';
import { computeVisibility, type Visibility } from './visibility/visibility.js';
import { runYielding, shouldYield } from './yielding.js';

export interface TreeCaptureOptions {
  /** Timeout in milliseconds for a frame in another process; longer if the page itself takes longer. Default 2,000. */
  readonly frameTimeoutMs?: number;
}

const FRAME_MS = 2_000;

/**
 * Captures the page's current accessibility tree with all its frames. May be called at any moment of a render. A frame that crashes,
 * navigates or does not respond meanwhile becomes a leaf. Rejects if the page itself does not respond.
 */
export async function captureTree(page: Page, options: TreeCaptureOptions = {}): Promise<TreeCapture> {
  const compute = await readTree(page, options);
  return await compute();
}

/** As `captureTree`, in two parts: once this resolves, the page has been read, and the returned function computes the tree without it. */
export async function readTree(page: Page, { frameTimeoutMs = FRAME_MS }: TreeCaptureOptions = {}): Promise<() => Promise<TreeCapture>> {
  const loaded = await loadFrames(page, frameTimeoutMs);
  const { profile } = page;
  return async () => computeTree(await computeFrames(loaded, profile));
}

async function computeTree(frames: readonly PlacedFrame[]): Promise<TreeCapture> {
  const visibility = await computeVisibility(frames);
  const [main] = frames;
  if (main === undefined) throw new Error('the page has no document');
  const drafted: DraftedFrame[] = [];
  for (const frame of frames) drafted.push(await draftFrame(frame, visibility.get(frame)));
  const { title, url } = main.document;
  return {
    title,
    url,
    root: await numberNodes(await outlineTree(drafted)),
    frames: frames.map(({ document, loaded: { targetId } }) => ({ frameId: document.frameId, targetId, url: withoutData(document.url) })),
  };
}

async function draftFrame(placed: PlacedFrame, visibility: Visibility = { own: new Set(), content: new Set() }): Promise<DraftedFrame> {
  const { ax, document } = placed.loaded;
  const exposed = new Map(
    ax.flatMap((node) => (node.ignored || node.backendDOMNodeId === undefined ? [] : [[node.backendDOMNodeId, node] as const])),
  );
  const actions = await findActions({ document, exposed, ax, visibility, areas: placed.nodes });
  const texts = findShownTexts({ placed, visibility, actions });
  return { placed, visibility, actions, texts, hiddenTexts: listHiddenTexts(document, visibility) };
}

/** Assigns every node its ref, in tree order. */
async function numberNodes(root: Draft): Promise<TreeNode> {
  let next = 0;
  function* finish(node: Draft, parent: Pick<TreeNode, 'visible'>): Generator<void, TreeNode> {
    const ref = `e${String(next)}`;
    next += 1;
    const own = { visible: isShownByParent(node) ? parent.visible : node.visible };
    let { visible } = own;
    const children: TreeNode[] = [];
    for (const child of node.children) {
      if (shouldYield()) yield;
      const finished = child.children.length === 0 ? finishLeaf(child, own) : yield* finish(child, own);
      children.push(finished);
      visible ||= finished.visible;
    }
    return finishDraft(node, { ref, visible, children });
  }
  const finishLeaf = (node: Draft, parent: Pick<TreeNode, 'visible'>): TreeNode => {
    const ref = `e${String(next)}`;
    next += 1;
    return finishDraft(node, { ref, visible: isShownByParent(node) ? parent.visible : node.visible, children: [] });
  };
  return { ...(await runYielding(finish(root, { visible: true }))), visible: true };
}

/** Generated content (`::before`) is visible if its element and its own box are; the selected option is visible in its closed list. */
function isShownByParent({ role, bounds, state, dom, isHidden }: Draft): boolean {
  if (isHidden === true) return false;
  return dom === undefined || (role === 'option' && bounds === null && state.selected === true);
}
