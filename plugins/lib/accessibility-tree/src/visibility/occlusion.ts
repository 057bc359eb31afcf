import type { Rect } from '@platen/kernel';
import type { DomNode } from '../document.js';
import { containsRect, shrink, subtract } from '../rect.js';
import type { Scroller } from './clip-chain.js';
import type { PlacedFrame } from './compute-frames.js';

/** A node at its paint position. */
export interface Painted {
  readonly rect: Rect;
  /** Higher is closer to the viewer. */
  readonly order: number;
  readonly scroller: Scroller | undefined;
  readonly frame: PlacedFrame;
  readonly node: DomNode;
}

/** Height in CSS pixels of the bands of the page that covers are indexed by. */
const BAND = 128;
/** Covers reach no further down: no page is that high. */
const MAX_BANDS = 4_096;
/** How many times the remainder is cut up before the node counts as visible. */
const MAX_PIECES = 8;
/** CSS pixels by which an edge may stick out: text is often taller than its cover. */
const EDGE = 1;

/** The covers in each band of the page. */
type CoverIndex = Map<number, Painted[]>;

/**
 * Checks whether a node is completely covered at every scroll position of the page and its boxes: at each position that it can take
 * relative to a cover, it must stay beneath.
 */
export function createOcclusionTest(covers: readonly Painted[]): (covered: Painted) => boolean {
  const indices = indexByScroller(covers);
  const highest = covers.reduce((most, { order }) => Math.max(most, order), -Infinity);
  return (covered) => {
    if (covered.order >= highest) return false;
    let { rect } = covered;
    for (let scroller = covered.scroller; ; scroller = scroller.outer) {
      const index = indices.get(scroller);
      if (index !== undefined && isCovered(shrink(rect, EDGE), { covered, index, depth: 0 })) return true;
      if (scroller === undefined) return false;
      rect = sweep(rect, scroller);
    }
  };
}

/** All positions in the view that it can take. */
function sweep({ x, y, width, height }: Rect, { view, area }: Scroller): Rect {
  const left = Math.max(0, area.x + area.width - view.x - view.width);
  const right = Math.max(0, view.x - area.x);
  const up = Math.max(0, area.y + area.height - view.y - view.height);
  const down = Math.max(0, view.y - area.y);
  const x0 = Math.max(view.x, x - left);
  const y0 = Math.max(view.y, y - up);
  const x1 = Math.min(view.x + view.width, x + width + right);
  const y1 = Math.min(view.y + view.height, y + height + down);
  return x1 > x0 && y1 > y0 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : view;
}

interface Search {
  readonly covered: Painted;
  readonly index: CoverIndex;
  readonly depth: number;
}

/** Its center must be beneath one cover, and the parts outside that cover beneath others. */
function isCovered(rect: Rect, { covered, index, depth }: Search): boolean {
  const x = rect.x + rect.width / 2;
  const y = rect.y + rect.height / 2;
  const band = index.get(Math.floor(y / BAND)) ?? [];
  const above = band.filter((cover) => cover.order > covered.order && containsPoint(cover.rect, x, y) && !isWithin(cover, covered));
  if (above.some((cover) => containsRect(cover.rect, rect))) return true;
  const [first] = above;
  if (first === undefined || depth === MAX_PIECES) return false;
  return subtract(rect, first.rect).every((piece) => isCovered(piece, { covered, index, depth: depth + 1 }));
}

/** A node is not hidden by its own descendants, including frames. */
function isWithin(cover: Painted, covered: Painted): boolean {
  let { frame, node } = cover;
  while (frame !== covered.frame && frame.owner !== undefined) ({ frame, node } = frame.owner);
  return frame === covered.frame && node.index >= covered.node.index && node.index <= covered.node.end;
}

function containsPoint({ x, y, width, height }: Rect, atX: number, atY: number): boolean {
  return atX >= x && atX <= x + width && atY >= y && atY <= y + height;
}

function indexByScroller(covers: readonly Painted[]): ReadonlyMap<Scroller | undefined, CoverIndex> {
  const indices = new Map<Scroller | undefined, CoverIndex>();
  for (const cover of covers) {
    const index = indices.get(cover.scroller) ?? new Map<number, Painted[]>();
    indices.set(cover.scroller, index);
    const { y, height } = cover.rect;
    const first = Math.floor(y / BAND);
    const last = Math.min(Math.floor((y + height) / BAND), first + MAX_BANDS);
    for (let band = first; band <= last; band += 1) {
      const known = index.get(band);
      if (known === undefined) index.set(band, [cover]);
      else known.push(cover);
    }
  }
  return indices;
}
