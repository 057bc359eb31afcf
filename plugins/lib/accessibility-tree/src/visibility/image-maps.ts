import type { Rect } from '@platen/kernel';
import type { DomDocument, DomNode } from '../document.js';
import { contentBox, withinContent, type Placement } from '../placement.js';
import { intersect } from '../rect.js';
import type { NodeVisibility } from './regions.js';

/**
 * Areas of image maps have no boxes of their own. Each gets its box from the first visible image that uses its map, or from the first image
 * if none is visible.
 */
export function seeAreas({ nodes }: DomDocument, sights: readonly NodeVisibility[], placement: Placement): readonly NodeVisibility[] {
  const areas = nodes.filter(({ tag }) => tag === 'AREA');
  if (areas.length === 0) return [];
  const images = new Map<string, NodeVisibility>();
  for (const sight of sights) {
    const map = sight.node.tag === 'IMG' ? usedMap(sight.node) : undefined;
    if (map === undefined) continue;
    const first = images.get(map);
    if (first === undefined || (!isSeen(first) && isSeen(sight))) images.set(map, sight);
  }
  return areas.flatMap((node) => {
    const image = images.get(mapOf(node, nodes) ?? '');
    const bounds = image && boundsOn(image, node, placement);
    if (image === undefined || bounds === undefined) return [];
    return [{ ...image, node, image: image.node, bounds, shown: image.shown && intersect(bounds, image.shown) }];
  });
}

/** The part after the first `#`, whatever precedes it (HTML, rules for parsing a hash-name reference). */
function usedMap({ attributes }: DomNode): string | undefined {
  return /#(.+)$/s.exec(attributes.get('usemap') ?? '')?.[1];
}

function isSeen({ shown, box }: NodeVisibility): boolean {
  return shown !== undefined && box.style.visible;
}

function mapOf({ parent }: DomNode, nodes: readonly DomNode[]): string | undefined {
  for (let at = nodes[parent]; at !== undefined; at = nodes[at.parent]) if (at.tag === 'MAP') return at.attributes.get('name');
  return undefined;
}

/** Undefined if no part of it is on the image. */
function boundsOn({ box }: NodeVisibility, { attributes }: DomNode, placement: Placement): Rect | undefined {
  const content = contentBox(box, placement);
  const shape = attributes.get('shape')?.toLowerCase() ?? 'rect';
  if (shape === 'default') return content;
  const around = boundsOfShape(shape, numbersIn(attributes.get('coords') ?? ''));
  return around && intersect(withinContent(box, around, placement), content);
}

/** A list of numbers as HTML parses it: invalid entries count as 0. */
function numbersIn(coords: string): readonly number[] {
  return coords
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => Number.parseFloat(part) || 0);
}

/** In CSS pixels from the corner of the image (HTML, image maps); undefined if the numbers do not form a shape. */
function boundsOfShape(shape: string, numbers: readonly number[]): Rect | undefined {
  const [a, b, c, d] = numbers;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  if (shape.startsWith('circ')) return c > 0 ? { x: a - c, y: b - c, width: 2 * c, height: 2 * c } : undefined;
  if (d === undefined || (shape.startsWith('poly') && numbers.length < 6)) return undefined;
  const corners = shape.startsWith('poly') ? numbers : [a, b, c, d];
  const across = corners.filter((_, at) => at % 2 === 0);
  const down = corners.filter((_, at) => at % 2 === 1);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}
