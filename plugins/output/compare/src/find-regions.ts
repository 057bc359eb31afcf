import type { Region, Size } from './comparison.js';

/** Pixels of a side: differences that are nearer to each other are of one region. */
const CELL = 16;

/** What is beyond is joined to one more region. */
const MOST_REGIONS = 1000;

/** Collects differing pixels, in memory that depends on the size of the image alone. */
export interface RegionFinder {
  add(x: number, y: number): void;
  /** From top to bottom. */
  find(): readonly Region[];
}

export function createRegionFinder({ width, height }: Size): RegionFinder {
  const [columns, rows] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const [left, top] = [new Uint32Array(columns * rows).fill(0xffff_ffff), new Uint32Array(columns * rows).fill(0xffff_ffff)];
  // One more than the last: 0 is an empty cell.
  const [right, bottom] = [new Uint32Array(columns * rows), new Uint32Array(columns * rows)];
  const boundsOf = (cells: readonly number[]): Region => {
    const extreme = (from: Uint32Array, pick: (...values: number[]) => number) =>
      cells.map((cell) => from[cell] ?? 0).reduce((one, other) => pick(one, other));
    const [x, y] = [extreme(left, Math.min), extreme(top, Math.min)];
    return { x, y, width: extreme(right, Math.max) - x, height: extreme(bottom, Math.max) - y };
  };
  return {
    add(x, y) {
      const cell = Math.floor(y / CELL) * columns + Math.floor(x / CELL);
      left[cell] = Math.min(left[cell] ?? x, x);
      top[cell] = Math.min(top[cell] ?? y, y);
      right[cell] = Math.max(right[cell] ?? 0, x + 1);
      bottom[cell] = Math.max(bottom[cell] ?? 0, y + 1);
    },
    find() {
      const groups = groupCells((cell) => (right[cell] ?? 0) > 0, { columns, rows });
      const regions = groups.slice(0, MOST_REGIONS).map(boundsOf);
      const rest = groups.slice(MOST_REGIONS).flat();
      return [...regions, ...(rest.length === 0 ? [] : [boundsOf(rest)])].sort((a, b) => a.y - b.y || a.x - b.x);
    },
  };
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** Cells that touch each other, at a corner too; the largest groups first. */
function groupCells(isMarked: (cell: number) => boolean, { columns, rows }: Grid): readonly (readonly number[])[] {
  const seen = new Uint8Array(columns * rows);
  const visit = (cell: number): boolean => {
    if (seen[cell] === 1 || !isMarked(cell)) return false;
    seen[cell] = 1;
    return true;
  };
  const groups: number[][] = [];
  for (let first = 0; first < columns * rows; first += 1) {
    if (!visit(first)) continue;
    const group = [first];
    // It grows meanwhile.
    for (const cell of group) group.push(...neighborsOf(cell, { columns, rows }).filter(visit));
    groups.push(group);
  }
  return groups.sort((one, other) => other.length - one.length);
}

function neighborsOf(cell: number, { columns, rows }: Grid): readonly number[] {
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  const around = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((along) => [column + along, row + down] as const));
  return around.filter(([x, y]) => x >= 0 && y >= 0 && x < columns && y < rows).map(([x, y]) => y * columns + x);
}
