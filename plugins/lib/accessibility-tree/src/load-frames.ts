import { isPlatenError, type Page, type Result, type TargetSession, withTimeout } from '@platen/kernel';
import { awaitDrawn, awaitDrawnFrame, forceContentVisibility, forceContentVisibilityInFrames } from '@platen/lib-page-layout';
import type { AxNode } from './ax-node.js';
import { readDocuments, type DomDocument } from './document.js';
import { STYLES } from './style.js';

/** One frame, read atomically within its process. */
export interface LoadedFrame {
  readonly targetId: string;
  readonly document: DomDocument;
  readonly ax: readonly AxNode[];
  /** Undefined for the main frame. */
  readonly owner: FrameOwner | undefined;
}

/** The element that owns a frame. */
interface FrameOwner {
  readonly frameId: string;
  readonly backendId: number;
}

/** Connected frames of one process. */
interface LoadedSession {
  readonly target: TargetSession;
  readonly frames: readonly LoadedFrame[];
  /** Target of the first frame; undefined for the page's own. */
  readonly parentFrameId: string | undefined;
}

/** A page that navigates while it is read is read again. */
const MAX_ATTEMPTS = 4;
/** Timeout in milliseconds for a call to the page: the tree of a huge page takes long. */
const PAGE_CALL_MS = 120_000;
/** Timeout in milliseconds for a call to a process other than the page's, even if other frames still take time. */
const CALL_MS = 10_000;

/**
 * Reads every frame of the page, the main frame first and parents before their children. A frame that crashes, navigates or does not respond
 * meanwhile is omitted; only a failure of the main frame is thrown.
 *
 * Content that is not laid out while off screen (`content-visibility: auto`) is laid out first, because the amount of such content changes
 * over time. All processes lay it out before any frame is read, because a frame may be in a skipped part of another process's document.
 */
export async function loadFrames(page: Page, frameTimeoutMs: number): Promise<readonly LoadedFrame[]> {
  const until = performance.now() + frameTimeoutMs;
  const left = () => ({ ms: Math.max(0, until - performance.now()), atLeast: Promise.resolve() });
  // A page that is replaced meanwhile is read as it is. Its frames get the timeout of frames in other processes.
  const own = [forceContentVisibility(page), forceContentVisibilityInFrames(page, { first: false, timeoutMs: frameTimeoutMs })].map(
    (forced) => ({ forced: forced.catch(() => undefined), draw: () => awaitDrawn(page) }),
  );
  const others = iframesOf(page).map((target) => ({
    forced: forceContentVisibilityInFrames(target, { first: true, timeoutMs: CALL_MS }).catch(() => undefined),
    draw: () => awaitDrawnFrame(target, CALL_MS),
  }));
  const all = [...own, ...others];
  const forced = await Promise.all([...own.map((one) => one.forced), ...others.map((one) => withTimeoutAtLeast(one.forced, left()))]);
  const draw = (some: typeof all) => Promise.all(some.map((one) => withTimeoutAtLeast(one.draw(), left())));
  try {
    const framing = all.filter((_, at) => forced[at]?.framed);
    if (framing.length > 0 && others.length > 0) {
      await draw(framing);
      await draw(others.filter((one) => !framing.includes(one)));
    }
    return await readFrames(page, left().ms);
  } finally {
    const restored = all.map((one) => one.forced.then((late) => late?.restore()).catch(() => undefined));
    await Promise.all(restored.filter((_, at) => forced[at] !== undefined));
  }
}

function iframesOf(page: Page): readonly TargetSession[] {
  return page.frameTargets().slice(1);
}

/** One DOM snapshot per process and one tree per frame. */
async function readFrames(page: Page, frameTimeoutMs: number): Promise<readonly LoadedFrame[]> {
  const unit = await page.nativeScaleFactor();
  const main = loadMain(page, unit);
  const others = iframesOf(page).map((target) =>
    withTimeoutAtLeast(loadSession(target, { timeoutMs: CALL_MS, unit }), { ms: frameTimeoutMs, atLeast: main }),
  );
  const [first, ...loaded] = await Promise.all([main, ...others]);
  const sessions = loaded.filter((session) => session !== undefined);
  return attachSessions(first, sessions, frameTimeoutMs);
}

interface SessionOptions {
  readonly timeoutMs: number;
  /** Snapshot pixels per CSS pixel. */
  readonly unit: number;
}

async function loadMain(page: Page, unit: number): Promise<LoadedSession> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await loadSession(page, { timeoutMs: PAGE_CALL_MS, unit });
    } catch (error) {
      const isFinal = page.lifecycle.failed.aborted || (isPlatenError(error) && error.code === 'render_timeout');
      if (isFinal || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Throws if the first frame's document was replaced meanwhile. */
async function loadSession(target: TargetSession, { timeoutMs, unit }: SessionOptions): Promise<LoadedSession> {
  const options = { timeoutMs };
  const tree = target.send('Page.getResourceTree', undefined, options);
  const root = target.send('Accessibility.getFullAXTree', {}, options);
  const snapshot = target.send(
    'DOMSnapshot.captureSnapshot',
    { computedStyles: [...STYLES], includePaintOrder: true, includeDOMRects: true },
    options,
  );
  const read = (frameId: string) =>
    target.send('Accessibility.getFullAXTree', { frameId }, options).then(
      ({ nodes }) => [[frameId, nodes] as const],
      () => [],
    );
  const children = tree.then(({ frameTree }) => Promise.all(descendantsOf(frameTree).map(read)));
  const [{ frameTree }, { nodes }, captured, below] = await Promise.all([tree, root, snapshot, children]);
  const trees = new Map([...below.flat(), [frameTree.frame.id, nodes]]);
  const documents = await readDocuments(captured, unit);
  const frames = framesOf(target, documents, trees);
  if (frames[0]?.document.frameId !== frameTree.frame.id) throw new Error('the document was replaced while it was read');
  return { target, frames, parentFrameId: frameTree.frame.parentId };
}

type FrameTree = Result<'Page.getResourceTree'>['frameTree'];

function descendantsOf({ childFrames = [] }: FrameTree): readonly string[] {
  return childFrames.flatMap((child) => [child.frame.id, ...descendantsOf(child)]);
}

/** Pairs the snapshot's documents with the trees. Omits documents that do not match their tree, with all their content. */
function framesOf(
  target: TargetSession,
  documents: readonly DomDocument[],
  trees: ReadonlyMap<string, readonly AxNode[]>,
): readonly LoadedFrame[] {
  const load = (document: DomDocument | undefined, owner: FrameOwner | undefined): readonly LoadedFrame[] => {
    const ax = trees.get(document?.frameId ?? '');
    if (document === undefined || ax === undefined || ax[0]?.backendDOMNodeId !== document.nodes[0]?.backendId) return [];
    const below = [...document.embedded].flatMap(([element, index]) => {
      const backendId = document.nodes[element]?.backendId;
      return backendId === undefined ? [] : load(documents[index], { frameId: document.frameId, backendId });
    });
    return [{ targetId: target.targetId, document, ax, owner }, ...below];
  };
  return load(documents[0], undefined);
}

/** Joins sessions to the frames that own them. Omits sessions of removed frames. */
async function attachSessions(
  main: LoadedSession,
  others: readonly LoadedSession[],
  frameTimeoutMs: number,
): Promise<readonly LoadedFrame[]> {
  const sessions = new Map(
    [main, ...others].flatMap((session) => session.frames.map(({ document }) => [document.frameId, session] as const)),
  );
  const owned = await Promise.all(
    others.map(async (session) => {
      const backendId = await ownerOf(session, sessions, frameTimeoutMs);
      return { session, backendId };
    }),
  );
  const attach = ({ frames }: LoadedSession): readonly LoadedFrame[] => {
    const ids = new Set(frames.map(({ document }) => document.frameId));
    const below = owned.flatMap(({ session, backendId }) => {
      const [first, ...rest] = session.frames;
      if (backendId === undefined || first === undefined || !ids.has(session.parentFrameId ?? '')) return [];
      const owner = { frameId: session.parentFrameId ?? '', backendId };
      return attach({ ...session, frames: [{ ...first, owner }, ...rest] });
    });
    return [...frames, ...below];
  };
  return attach(main);
}

async function ownerOf(
  { frames, parentFrameId = '' }: LoadedSession,
  sessions: ReadonlyMap<string, LoadedSession>,
  timeoutMs: number,
): Promise<number | undefined> {
  const frameId = frames[0]?.document.frameId ?? '';
  try {
    const owner = await sessions.get(parentFrameId)?.target.send('DOM.getFrameOwner', { frameId }, { timeoutMs });
    return owner?.backendNodeId;
  } catch {
    return undefined;
  }
}

/**
 * Undefined if the promise rejects or is still pending after the timeout and after `atLeast` has settled: frames may take as long as the
 * page itself.
 */
async function withTimeoutAtLeast<T>(
  promise: Promise<T>,
  { ms, atLeast }: { readonly ms: number; readonly atLeast: Promise<unknown> },
): Promise<T | undefined> {
  const settled = promise.catch(() => undefined);
  await withTimeout(settled, ms);
  return Promise.race([settled, atLeast.catch(() => undefined).then(() => undefined)]);
}
