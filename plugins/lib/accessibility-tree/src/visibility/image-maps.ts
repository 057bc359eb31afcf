import type { Rect } from '@platen/kernel';
import type { DomDocument, DomNode } from '../document.js';
import { contentBox, withinContent, type Placement } from '../placement.js';
import { intersect } from '../rect.js';
import type { NodeVisibility } from './clip-chain.js';

/**
 * Areas of image maps have no boxes of their own, but are clicked (https://github.com/puppeteer/puppeteer/issues/4147). Each gets its box
 * from the first image with a box that uses its map.
 */
export function areaVisibility({ nodes }: DomDocument, boxes: readonly NodeVisibility[], placement: Placement): readonly NodeVisibility[] {
  const areas = nodes.filter(({ tag }) => tag === 'AREA');
  if (areas.length === 0) return [];
  const images = new Map<string, NodeVisibility>();
  for (const box of boxes) {
    // The part after the first `#`, whatever precedes it (HTML, rules for parsing a hash-name reference).
    const map = box.node.tag === 'IMG' ? /#(.+)$/s.exec(box.node.attributes.get('usemap') ?? '')?.[1] : undefined;
    if (map !== undefined && !images.has(map)) images.set(map, box);
  }
  return areas.flatMap((node) => {
    const image = images.get(mapOf(node, nodes) ?? '');
    const bounds = image && boundsOn(image, node, placement);
    if (image === undefined || bounds === undefined) return [];
    return [{ ...image, node, image: image.node, bounds, shown: image.shown && intersect(bounds, image.shown) }];
  });
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
  const bounds = boundsOfShape(shape, attributes.get('coords') ?? '');
  return bounds && intersect(withinContent(box, bounds, placement), content);
}

/** In CSS pixels from the corner of the image (HTML, image maps); undefined if the coordinates do not form a shape. */
function boundsOfShape(shape: string, coordinates: string): Rect | undefined {
  const parts = coordinates.split(/[\s,;]+/).filter((part) => part !== '');
  const numbers = parts.map((part) => Number.parseFloat(part) || 0);
  if (shape.startsWith('circ')) {
    const [x = 0, y = 0, radius = 0] = numbers;
    return radius > 0 ? { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius } : undefined;
  }
  const isPolygon = shape.startsWith('poly');
  const corners = isPolygon ? numbers : numbers.slice(0, 4);
  if (corners.length < (isPolygon ? 6 : 4)) return undefined;
  const across = corners.filter((_, at) => at % 2 === 0);
  const down = corners.filter((_, at) => at % 2 === 1);
  const [x, y] = [Math.min(...across), Math.min(...down)];
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}
