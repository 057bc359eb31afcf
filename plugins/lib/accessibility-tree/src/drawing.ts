/**
 * The role of a node in an SVG drawing. Undefined: none, or the outermost `svg`, which has a box like any other element. `part`: has no CSS
 * box (SVG 2), so no position or padding, and does not clip. `pattern`: is drawn only where it is referenced.
 */
export type Drawing = 'part' | 'pattern' | undefined;

/** SVG 2, never-rendered elements, and elements that are drawn only by reference. */
const PATTERNS = new Set(['CLIPPATH', 'DEFS', 'LINEARGRADIENT', 'MARKER', 'MASK', 'PATTERN', 'RADIALGRADIENT', 'SYMBOL']);

/** By node index; nodes in preorder, tags in upper case. */
export function drawingsOf(tags: readonly string[], parents: readonly number[]): readonly Drawing[] {
  const drawings: Drawing[] = [];
  tags.forEach((tag, index) => {
    const parent = parents[index] ?? -1;
    const above = drawings[parent];
    const isWithin = tags[parent] === 'SVG' || (above === 'part' && tags[parent] !== 'FOREIGNOBJECT');
    drawings.push(above === 'pattern' ? above : !isWithin ? undefined : PATTERNS.has(tag) ? 'pattern' : 'part');
  });
  return drawings;
}
