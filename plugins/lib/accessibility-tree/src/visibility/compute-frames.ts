import type { DomDocument, DomNode } from '../document.js';
import type { LoadedFrame } from '../load-frames.js';
import { contentBox, MAIN, placeFrame, type Placement } from '../placement.js';
import { intersect, NOWHERE } from '../rect.js';
import { computeDocument, type DocumentWindow, type NodeVisibility } from './clip-chain.js';
import { areaVisibility } from './image-maps.js';

/** A frame at its position on the page. */
export interface PlacedFrame {
  readonly loaded: LoadedFrame;
  readonly document: DomDocument;
  readonly placement: Placement;
  readonly window: DocumentWindow;
  readonly owner: FrameOwner | undefined;
  /** By node index. Of the nodes without a box, only areas of image maps have an entry. */
  readonly nodes: ReadonlyMap<number, NodeVisibility>;
  /** Paint order of a node's layer, comparable across all frames. */
  readonly orderOf: (node: DomNode) => number;
  readonly ranks: Ranks;
}

interface FrameOwner {
  readonly frame: PlacedFrame;
  readonly node: DomNode;
}

/** Maps a process's paint orders into the gaps of the process that embeds it. */
interface Ranks {
  readonly base: number;
  readonly step: number;
}

/** Places all frames in one coordinate system; parents come before their children. A frame whose owner element was removed is omitted. */
export async function computeFrames(
  frames: readonly LoadedFrame[],
  profile: Pick<DocumentWindow, 'mobile'>,
): Promise<readonly PlacedFrame[]> {
  const placed = new Map<string, PlacedFrame>();
  for (const loaded of frames) {
    const { document, owner } = loaded;
    const frame = placed.get(owner?.frameId ?? '');
    const node = frame?.document.byBackendId.get(owner?.backendId ?? -1);
    const own = frame === undefined || node === undefined ? undefined : { frame, node };
    if (owner !== undefined && own === undefined) continue;
    const window = own === undefined ? mainWindow(document, profile) : frameWindow(document, own);
    placed.set(document.frameId, await placeNodes(loaded, window, own));
  }
  return [...placed.values()];
}

const NO_EFFECTS = { opacity: 1, rotated: false, flipped: false, beneath: false };

function mainWindow({ scrolled, viewport }: DomDocument, { mobile }: Pick<DocumentWindow, 'mobile'>): DocumentWindow {
  const view = { ...scrolled, ...viewport };
  return { ...NO_EFFECTS, placement: MAIN, fixed: { clip: view, scroller: undefined }, view, owner: undefined, mobile };
}

function frameWindow(document: DomDocument, { frame, node }: FrameOwner): DocumentWindow {
  const visibility = frame.nodes.get(node.index);
  const { mobile } = frame.window;
  if (visibility === undefined) {
    const { placement } = frame;
    return { ...NO_EFFECTS, opacity: 0, placement, fixed: { clip: NOWHERE, scroller: undefined }, view: NOWHERE, owner: node, mobile };
  }
  const { box, shown, scroller, opacity, rotated, flipped, beneath } = visibility;
  const view = (shown && intersect(contentBox(box, frame.placement), shown)) ?? NOWHERE;
  return {
    placement: placeFrame(document, box, frame.placement),
    fixed: { clip: view, scroller },
    view,
    owner: node,
    mobile,
    opacity: box.style.visible ? opacity : 0,
    rotated,
    flipped,
    beneath,
  };
}

async function placeNodes(loaded: LoadedFrame, window: DocumentWindow, owner: FrameOwner | undefined): Promise<PlacedFrame> {
  const { document } = loaded;
  const boxes = await computeDocument(document, window);
  const computed = [...boxes, ...areaVisibility(document, boxes, window.placement)];
  const ranks = owner === undefined ? { base: 0, step: 1 } : ranksIn(owner, loaded);
  return {
    loaded,
    document,
    placement: window.placement,
    window,
    owner,
    nodes: new Map(computed.map((visibility) => [visibility.node.index, visibility])),
    orderOf: ({ box }) => ranks.base + (box?.order ?? 0) * ranks.step,
    ranks,
  };
}

/** All layers of another process come after the owner's layer and before the next one, which is a whole step away. */
function ranksIn({ frame, node }: FrameOwner, { document, targetId }: LoadedFrame): Ranks {
  if (frame.loaded.targetId === targetId) return frame.ranks;
  const highest = document.nodes.reduce((most, { box }) => Math.max(most, box?.order ?? 0), 0);
  const step = (0.8 * frame.ranks.step) / (highest + 2);
  return { base: frame.orderOf(node) + step, step };
}
