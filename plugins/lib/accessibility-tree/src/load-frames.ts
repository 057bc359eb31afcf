import { isPlatenError, type Page, type Result, type TargetSession } from '@platen/kernel';
import { readDocuments, type DomDocument } from './document.js';
import { STYLES } from './style.js';

export type AxNode = Result<'Accessibility.getFullAXTree'>['nodes'][number];

export function roleOf(node: AxNode | undefined): string {
  const role: unknown = node?.role?.value;
  return typeof role === 'string' ? role : '';
}

/** One frame as it was read, in one moment of its process. */
export interface LoadedFrame {
  readonly targetId: string;
  readonly document: DomDocument;
  readonly ax: readonly AxNode[];
  /** Undefined for the main frame. */
  readonly owner: FrameOwner | undefined;
}

/** The element that shows a frame. */
interface FrameOwner {
  readonly frameId: string;
  readonly backendId: number;
}

/** All frames of one process below one another. */
interface LoadedSession {
  readonly target: TargetSession;
  readonly frames: readonly LoadedFrame[];
  /** Of the first frame; undefined for the page's own. */
  readonly parentFrameId: string | undefined;
}

/** A page that navigates while it is read is read again. */
const MAX_ATTEMPTS = 4;
/** Milliseconds for a call to the page: the tree of a huge one takes long. */
const PAGE_CALL_MS = 120_000;
/** Milliseconds for a call to another process than the page's, whoever still waits for it. */
export const CALL_MS = 10_000;

/**
 * Reads every frame of the page, the main one first, and parents before their children: a snapshot of the DOM a process and one tree a
 * frame. A frame that dies, navigates or does not answer meanwhile is omitted; only the main frame's failure is thrown.
 */
export async function loadFrames(page: Page, frameTimeoutMs: number): Promise<readonly LoadedFrame[]> {
  const unit = await page.nativeScaleFactor();
  const main = loadMain(page, unit);
  const others = page.targets.all
    .filter(({ kind }) => kind === 'iframe')
    .map((target) => withTimeoutAtLeast(loadSession(target, { timeoutMs: CALL_MS, unit }), { ms: frameTimeoutMs, atLeast: main }));
  const [first, ...loaded] = await Promise.all([main, ...others]);
  return attachSessions(
    first,
    loaded.filter((session) => session !== undefined),
    frameTimeoutMs,
  );
}

interface SessionOptions {
  readonly timeoutMs: number;
  /** Pixels that snapshots count for a CSS pixel. */
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

/** Throws where the first frame's document was replaced in between. */
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
  const documents = await readDocuments(captured, { solid: new Set(solidPictures(frameTree)), unit });
  const frames = framesOf(target, documents, trees);
  if (frames[0]?.document.frameId !== frameTree.frame.id) throw new Error('the document was replaced while it was read');
  return { target, frames, parentFrameId: frameTree.frame.parentId };
}

type FrameTree = Result<'Page.getResourceTree'>['frameTree'];

/** Of all pictures that are loaded and whose format knows no transparency. */
function solidPictures({ resources, childFrames = [] }: FrameTree): readonly string[] {
  const own = resources.filter(({ mimeType, failed, canceled, contentSize = 0, url }) => {
    if (mimeType !== 'image/jpeg' || failed === true || canceled === true) return false;
    return contentSize > 0 || url.startsWith('data:');
  });
  return [...own.map(({ url }) => url), ...childFrames.flatMap(solidPictures)];
}

function descendantsOf({ childFrames = [] }: FrameTree): readonly string[] {
  return childFrames.flatMap((child) => [child.frame.id, ...descendantsOf(child)]);
}

/** Pairs the snapshot's documents with the trees; what belongs to another document than it says is omitted, with all that is in it. */
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

/** Joins sessions to those that show them; one that belongs to a popup, or to nothing any more, is omitted. */
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

/** Undefined where the promise fails, or is neither done after the time nor when `atLeast` is: what the page itself needs, its frames may take. */
export async function withTimeoutAtLeast<T>(
  promise: Promise<T>,
  { ms, atLeast }: { readonly ms: number; readonly atLeast: Promise<unknown> },
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const late = Promise.allSettled([time, atLeast]).then(() => undefined);
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
