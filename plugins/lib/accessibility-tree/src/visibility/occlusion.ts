import type { Rect } from '@platen/kernel';
import type { DomNode } from '../document.js';
import { holds, shrink, subtract } from '../rect.js';
import type { Scroller } from './regions.js';
import type { SeenFrame } from './compute-frames.js';

/** A node at its paint position. */
export interface Painted {
  readonly rect: Rect;
  /** Higher is closer to the viewer. */
  readonly order: number;
  readonly scroller: Scroller | undefined;
  readonly frame: SeenFrame;
  readonly node: DomNode;
}

/** Size in CSS pixels of the grid squares that index covers. */
const CELL = 256;
/** A cover of more squares than this is checked for every node. */
const MANY_CELLS = 64;
/** Maximum number of such covers: the largest are used. */
const MAX_LARGE = 256;
/** How many times the remainder is cut up before the node counts as visible. */
const MAX_PIECES = 8;
/** CSS pixels by which an edge may stick out: text is often taller than its cover. */
const EDGE = 1;

interface Index {
  readonly cells: ReadonlyMap<string, readonly Painted[]>;
  readonly large: readonly Painted[];
}

/**
 * Checks whether a node is completely covered at every scroll position of the page and its boxes: at each position that it can take
 * relative to a cover, it must stay beneath.
 */
export function createOcclusionTest(covers: readonly Painted[]): (covered: Painted) => boolean {
  const groups = groupByScroller(covers);
  const indices = new Map([...groups].map(([scroller, group]) => [scroller, indexCovers(group)]));
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
function sweep({ x, y, width, height }: Rect, { view, reach }: Scroller): Rect {
  const left = Math.max(0, reach.x + reach.width - view.x - view.width);
  const right = Math.max(0, view.x - reach.x);
  const up = Math.max(0, reach.y + reach.height - view.y - view.height);
  const down = Math.max(0, view.y - reach.y);
  const x0 = Math.max(view.x, x - left);
  const y0 = Math.max(view.y, y - up);
  const x1 = Math.min(view.x + view.width, x + width + right);
  const y1 = Math.min(view.y + view.height, y + height + down);
  return x1 > x0 && y1 > y0 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : view;
}

interface Search {
  readonly covered: Painted;
  readonly index: Index;
  readonly depth: number;
}

/** Its center must be beneath one cover, and the parts outside that cover beneath others. */
function isCovered(rect: Rect, { covered, index, depth }: Search): boolean {
  const x = rect.x + rect.width / 2;
  const y = rect.y + rect.height / 2;
  const above = [...(index.cells.get(cellKey(Math.floor(x / CELL), Math.floor(y / CELL))) ?? []), ...index.large].filter(
    (cover) => cover.order > covered.order && contains(cover.rect, x, y) && !isWithin(cover, covered),
  );
  if (above.some((cover) => holds(cover.rect, rect))) return true;
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

function contains({ x, y, width, height }: Rect, atX: number, atY: number): boolean {
  return atX >= x && atX <= x + width && atY >= y && atY <= y + height;
}

function groupByScroller(covers: readonly Painted[]): ReadonlyMap<Scroller | undefined, readonly Painted[]> {
  const groups = new Map<Scroller | undefined, Painted[]>();
  for (const cover of covers) {
    const group = groups.get(cover.scroller);
    if (group === undefined) groups.set(cover.scroller, [cover]);
    else group.push(cover);
  }
  return groups;
}

function indexCovers(covers: readonly Painted[]): Index {
  const cells = new Map<string, Painted[]>();
  const large: Painted[] = [];
  for (const cover of covers) {
    const keys = cellsOf(cover.rect);
    if (keys === undefined) large.push(cover);
    for (const key of keys ?? []) {
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [cover]);
      else cell.push(cover);
    }
  }
  const area = ({ rect }: Painted): number => rect.width * rect.height;
  return { cells, large: large.sort((a, b) => area(b) - area(a)).slice(0, MAX_LARGE) };
}

/** Undefined if there are too many. */
function cellsOf({ x, y, width, height }: Rect): readonly string[] | undefined {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map((edge) => Math.floor(edge / CELL));
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return [];
  if ((right - left + 1) * (bottom - top + 1) > MANY_CELLS) return undefined;
  const keys: string[] = [];
  for (let column = left; column <= right; column += 1) {
    for (let row = top; row <= bottom; row += 1) keys.push(cellKey(column, row));
  }
  return keys;
}

function cellKey(column: number, row: number): string {
  return `${String(column)},${String(row)}`;
}
