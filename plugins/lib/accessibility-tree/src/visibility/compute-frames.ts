import type { DomDocument, DomNode } from '../document.js';
import type { LoadedFrame } from '../load-frames.js';
import { contentBox, MAIN, placeFrame, type Placement } from '../placement.js';
import { intersect } from '../rect.js';
import { seeAreas } from './image-maps.js';
import {
  computeDocument,
  type DocumentPlace,
  documentSurroundings,
  lockedWindow,
  type NodeVisibility,
  NOTHING,
  type Region,
  scrollableAxes,
} from './regions.js';

/** A frame at its position on the page. */
export interface SeenFrame {
  readonly loaded: LoadedFrame;
  readonly document: DomDocument;
  readonly placement: Placement;
  /** Its window. */
  readonly window: Region;
  /** Placement of its owner element. */
  readonly opacity: number;
  readonly skewed: boolean;
  readonly owner: { readonly frame: SeenFrame; readonly node: DomNode } | undefined;
  /** By node index. Of the nodes without a box, only areas of image maps have an entry. */
  readonly sights: ReadonlyMap<number, NodeVisibility>;
  /** By node index, comparable across all frames. */
  readonly orders: readonly number[];
  readonly ranks: Ranks;
}

/** Maps a process's paint orders into the gaps of the process that embeds it. */
interface Ranks {
  readonly base: number;
  readonly step: number;
}

export interface SeeOptions {
  /** A phone scales a page down until its whole width is visible. */
  readonly mobile: boolean;
}

/** Places all frames in one coordinate system; parents come before their children. A frame whose owner element was removed is omitted. */
export async function computeFrames(frames: readonly LoadedFrame[], options: SeeOptions): Promise<readonly SeenFrame[]> {
  const seen = new Map<string, SeenFrame>();
  for (const loaded of frames) {
    const frame = await seeFrame(loaded, seen, options);
    if (frame !== undefined) seen.set(loaded.document.frameId, frame);
  }
  return [...seen.values()];
}

async function seeFrame(loaded: LoadedFrame, seen: ReadonlyMap<string, SeenFrame>, { mobile }: SeeOptions): Promise<SeenFrame | undefined> {
  const { document, owner } = loaded;
  if (owner === undefined) {
    const view = { ...document.scrolled, ...document.viewport };
    return complete(
      loaded,
      {
        placement: MAIN,
        fixed: { clip: view, scroller: undefined },
        view,
        opacity: 1,
        skewed: false,
        turned: false,
        axes: { x: true, y: true },
        locked: mobile ? undefined : lockedWindow(document, view),
      },
      { base: 0, step: 1 },
    );
  }
  const frame = seen.get(owner.frameId);
  const node = frame?.document.byBackendId.get(owner.backendId);
  if (frame === undefined || node === undefined) return undefined;
  const ranks =
    frame.loaded.targetId === loaded.targetId
      ? frame.ranks
      : nestRanks(loaded, { base: frame.orders[node.index] ?? 0, step: frame.ranks.step });
  return { ...(await complete(loaded, placeIn(document, { frame, node }), ranks)), owner: { frame, node } };
}

function placeIn(document: DomDocument, { frame, node }: { readonly frame: SeenFrame; readonly node: DomNode }): DocumentPlace {
  const sight = frame.sights.get(node.index);
  const axes = scrollableAxes(document, node);
  if (sight === undefined)
    return {
      placement: frame.placement,
      fixed: { clip: NOTHING, scroller: undefined },
      view: NOTHING,
      opacity: 0,
      skewed: false,
      turned: false,
      axes,
    };
  const { box, shown, scroller, opacity, skewed, turned } = sight;
  const view = (shown && intersect(contentBox(box, frame.placement), shown)) ?? NOTHING;
  return {
    placement: placeFrame(document, box, frame.placement),
    fixed: { clip: view, scroller },
    view,
    opacity: box.style.visible ? opacity : 0,
    skewed,
    turned,
    axes,
  };
}

async function complete(loaded: LoadedFrame, at: DocumentPlace, ranks: Ranks): Promise<SeenFrame> {
  const { document } = loaded;
  const boxes = await computeDocument(document, documentSurroundings(document, at), at.placement);
  const sights = [...boxes, ...seeAreas(document, boxes, at.placement)];
  return {
    loaded,
    document,
    placement: at.placement,
    window: at.fixed,
    opacity: at.opacity,
    skewed: at.skewed,
    owner: undefined,
    sights: new Map(sights.map((sight) => [sight.node.index, sight])),
    orders: paintOrders(document).map((order) => ranks.base + order * ranks.step),
    ranks,
  };
}

/** All layers of another process come after the owner's layer and before the next one, which is at least half a step away. */
function nestRanks({ document }: LoadedFrame, owner: Ranks): Ranks {
  const highest = document.nodes.reduce((most, { box }) => Math.max(most, box?.order ?? 0), 0);
  const step = (0.4 * owner.step) / (highest + 2);
  return { base: owner.base + step, step };
}

/**
 * The paint order of a document's nodes, by node index. The browser's rank counts layers: it places layers of negative z-index after the
 * layer of their stacking context, although they are painted between the context's own box and its content (CSS 2, appendix E).
 */
function paintOrders({ nodes }: DomDocument): readonly number[] {
  const contexts = stackingContexts(nodes);
  const lowest = new Map<DomNode, number>();
  for (const node of nodes) {
    const context = nodes[contexts[node.parent] ?? -1];
    if (context === undefined || !isNegativeLayer(node, nodes)) continue;
    const order = highestIn(node, nodes);
    lowest.set(context, Math.max(order, lowest.get(context) ?? 0));
  }
  return nodes.map((node) => {
    const order = node.box?.order ?? 0;
    const context = nodes[contexts[node.parent] ?? -1];
    const below = context === undefined ? undefined : lowest.get(context);
    return below !== undefined && order === context?.box?.order ? below + 0.5 : order;
  });
}

/** The nearest stacking context of each node: the node itself or an ancestor. */
function stackingContexts(nodes: readonly DomNode[]): readonly number[] {
  const contexts: number[] = [];
  for (const { index, parent, box } of nodes) contexts.push(box?.stacking === true ? index : (contexts[parent] ?? -1));
  return contexts;
}

function isNegativeLayer({ parent, box, kind }: DomNode, nodes: readonly DomNode[]): boolean {
  if (kind !== 'element' || box === undefined || box.style.zIndex >= 0 || box.style.topmost) return false;
  return box.style.position !== 'static' || nodes[parent]?.box?.style.flexible === true;
}

function highestIn({ index, end }: DomNode, nodes: readonly DomNode[]): number {
  let highest = 0;
  for (let at = index; at <= end; at += 1) {
    const node = nodes[at];
    // The top layer is above everything, regardless of document order.
    if (node?.box?.style.topmost === true) at = node.end;
    else highest = Math.max(highest, node?.box?.order ?? 0);
  }
  return highest;
}
