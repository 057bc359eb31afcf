import type { Rect } from '@platen/kernel';
import { intersect } from '../rect.js';
import type { Style } from '../style.js';

/**
 * What `clip` and `clip-path` leave of an element's border box: rectangles and the bounding box of polygons, where nothing else is
 * known all of it. Undefined: nothing is left.
 */
export function clipShape(bounds: Rect, { clip, clipPath, position }: Style): Rect | undefined {
  const cut = position === 'absolute' || position === 'fixed' ? clipRect(bounds, clip) : bounds;
  const path = pathBox(bounds, clipPath);
  return cut === undefined || path === undefined ? undefined : intersect(cut, path);
}

/** CSS Masking, `clip`: distances of the four edges from the top left corner. */
function clipRect({ x, y, width, height }: Rect, clip: string): Rect | undefined {
  const edges = /^rect\(([^)]*)\)$/.exec(clip)?.[1]?.split(/[\s,]+/);
  if (edges === undefined) return { x, y, width, height };
  const [top = 0, right = width, bottom = height, left = 0] = edges.map((edge) => (edge === 'auto' ? undefined : Number.parseFloat(edge)));
  return right > left && bottom > top ? { x: x + left, y: y + top, width: right - left, height: bottom - top } : undefined;
}

function pathBox(bounds: Rect, path: string): Rect | undefined {
  const [, shape, body = ''] = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(path) ?? [];
  if (shape === undefined || body.includes('calc')) return bounds;
  if (shape === 'inset') return insetBox(bounds, body);
  if (shape === 'polygon') return polygonBox(bounds, body);
  return /^0(px|%)?(\s|$)/.test(body) ? undefined : bounds;
}

function insetBox({ x, y, width, height }: Rect, body: string): Rect | undefined {
  const lengths = (body.split(' round ')[0] ?? '').trim().split(/\s+/);
  const [top = '0', right = top, bottom = top, left = right] = lengths;
  const x0 = length(left, width);
  const y0 = length(top, height);
  const rest = { width: width - x0 - length(right, width), height: height - y0 - length(bottom, height) };
  return rest.width > 0 && rest.height > 0 ? { x: x + x0, y: y + y0, ...rest } : undefined;
}

function polygonBox({ x, y, width, height }: Rect, body: string): Rect | undefined {
  const points = body
    .replace(/^(evenodd|nonzero)\s*,/, '')
    .split(',')
    .map((point) => point.trim().split(/\s+/));
  const xs = points.map(([across = '0']) => length(across, width));
  const ys = points.map(([, down = '0']) => length(down, height));
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  const box = { x: x + left, y: y + top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

function length(text: string, whole: number): number {
  const number = Number.parseFloat(text) || 0;
  return text.endsWith('%') ? (number / 100) * whole : number;
}
