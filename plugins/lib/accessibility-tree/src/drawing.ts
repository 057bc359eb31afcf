/**
 * What a node is in an SVG drawing; undefined: nothing, or the drawing's outermost `svg`, which has a box like any other element.
 * `part`: it has no box of CSS (SVG 2): no position, no padding, and it cuts nothing. `pattern`: it is drawn where something refers to it, never by itself.
 */
export type Drawing = 'part' | 'pattern' | undefined;

/** SVG 2, never-rendered elements, with those that only their references draw. */
const PATTERNS = new Set(['CLIPPATH', 'DEFS', 'LINEARGRADIENT', 'MARKER', 'MASK', 'PATTERN', 'RADIALGRADIENT', 'SYMBOL']);

/** By node index, of nodes in preorder; tags in capitals. */
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
