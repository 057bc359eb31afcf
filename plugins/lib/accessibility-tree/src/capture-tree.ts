import type { Page } from '@platen/kernel';
import { awaitDrawn, awaitDrawnFrame, forceContentVisibility, forceContentVisibilityInFrames } from '@platen/lib-page-layout';
import type { DomNode } from './document.js';
import { type Draft, type DraftedFrame, draftNode, finishDraft, textOf, withoutData } from './draft.js';
import { findActions } from './find-actions.js';
import { runYielding, shouldYield } from './yielding.js';
import { canvasArea } from './placement.js';
import { computeFrames, type SeenFrame } from './visibility/compute-frames.js';
import { computeVisibility, type Visibility } from './visibility/visibility.js';
import type { TreeCapture, TreeNode } from './tree-capture.js';
import { type AxNode, CALL_MS, iframesOf, type LoadedFrame, loadFrames, roleOf, withTimeoutAtLeast } from './load-frames.js';
import { addMissing } from './add-missing.js';
import { isTelling, readState } from './read-state.js';
import { isContainer, isHelper, isPlugin, isText } from './roles.js';
import { settle } from './settle.js';
import { isUnseenText, listUnseen } from './shown-name.js';

const NOTHING: readonly Draft[] = [];

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

/**
 * `loadFrames` with content that is not laid out while off screen (`content-visibility: auto`), because the amount of such content changes
 * over time. All processes lay it out before any frame is read, because a frame may be in a skipped part of another process's document.
 */
async function loadShown(page: Page, frameTimeoutMs: number): Promise<readonly LoadedFrame[]> {
  const until = performance.now() + frameTimeoutMs;
  const left = () => ({ ms: Math.max(0, until - performance.now()), atLeast: Promise.resolve() });
  // A page that is replaced meanwhile is read as it is. Its frames get the timeout of frames in other processes.
  const own = [forceContentVisibility(page), forceContentVisibilityInFrames(page, { first: false, timeoutMs: frameTimeoutMs })].map(
    (shown) => ({
      shown: shown.catch(() => undefined),
      draw: () => awaitDrawn(page),
    }),
  );
  const others = iframesOf(page).map((target) => ({
    shown: forceContentVisibilityInFrames(target, { first: true, timeoutMs: CALL_MS }).catch(() => undefined),
    draw: () => awaitDrawnFrame(target, CALL_MS),
  }));
  const all = [...own, ...others];
  const shown = await Promise.all([...own.map((one) => one.shown), ...others.map((one) => withTimeoutAtLeast(one.shown, left()))]);
  const draw = (some: typeof all) => Promise.all(some.map((one) => withTimeoutAtLeast(one.draw(), left())));
  try {
    const framing = all.filter((_, at) => shown[at]?.framed);
    if (framing.length > 0 && others.length > 0) {
      await draw(framing);
      await draw(others.filter((one) => !framing.includes(one)));
    }
    return await loadFrames(page, left().ms);
  } finally {
    const restored = all.map((one) => one.shown.then((late) => late?.restore()).catch(() => undefined));
    await Promise.all(restored.filter((_, at) => shown[at] !== undefined));
  }
}

async function draftFrame(seen: SeenFrame, visibility: Visibility = { own: new Set(), content: new Set() }): Promise<DraftedFrame> {
  const { ax, document } = seen.loaded;
  const exposed = new Map(
    ax.flatMap((node) => (node.ignored || node.backendDOMNodeId === undefined ? [] : [[node.backendDOMNodeId, node] as const])),
  );
  const actions = await findActions({ document, exposed, ax, visibility, areas: seen.sights });
  return { seen, visibility, actions, unseen: listUnseen({ seen, visibility }) };
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

/** The content of the frame that an element owns; undefined if there is no readable frame. */
type FrameContent = (owner: DomNode) => { readonly url: string; readonly children: readonly Draft[] } | undefined;

/**
 * A frame's tree without the document itself. Ignored nodes are omitted and replaced by their children; usable elements that the browser's
 * tree lacks are added.
 */
async function outlineFrame(frame: DraftedFrame, contentOf: FrameContent): Promise<readonly Draft[]> {
  const outlined = await runYielding(outline(frame, contentOf));
  return runYielding(settle(addMissing(outlined, frame), frame));
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
        const isUnseen = dom?.tag.startsWith('::') === true && isUnseenText(dom, frame.visibility);
        for (const child of children) outlined.push(isUnseen ? { ...child, isUnseen } : child);
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

/** Generated content (`::before`) is visible if its element and its own box are; the selected option is visible in its closed list. */
function isShownByParent({ role, bounds, state, dom, isUnseen }: Draft): boolean {
  if (isUnseen === true) return false;
  return dom === undefined || (role === 'option' && bounds === null && state.selected === true);
}
