import type { Rect } from '@platen/kernel';

/** Computed values. */
export interface Clipped {
  readonly clip: string;
  readonly clipPath: string;
  readonly position: string;
}

/**
 * Runs here and in pages; must not capture outer variables. The part of an element's border box that `clip` and `clip-path` leave visible:
 * rectangles, the bounding box of polygons, and the whole box for other shapes.
 */
export class ClipShape {
  /** Undefined: nothing is visible. */
  leave(bounds: Rect, { clip, clipPath, position }: Clipped): Rect | undefined {
    const cut = position === 'absolute' || position === 'fixed' ? this.#clipRect(bounds, clip) : bounds;
    const path = this.#pathBox(bounds, clipPath);
    return cut === undefined || path === undefined ? undefined : this.#common(cut, path);
  }

  /** CSS Masking, `clip`: distances of the four edges from the top left corner. */
  #clipRect({ x, y, width, height }: Rect, clip: string): Rect | undefined {
    const edges = /^rect\(([^)]*)\)$/.exec(clip)?.[1]?.split(/[\s,]+/);
    if (edges === undefined) return { x, y, width, height };
    const [top = 0, right = width, bottom = height, left = 0] = edges.map((edge) =>
      edge === 'auto' ? undefined : Number.parseFloat(edge),
    );
    return right > left && bottom > top ? { x: x + left, y: y + top, width: right - left, height: bottom - top } : undefined;
  }

  #pathBox(bounds: Rect, path: string): Rect | undefined {
    const [, shape, body = ''] = /^(inset|circle|ellipse|polygon)\((.*)\)/.exec(path) ?? [];
    if (shape === undefined || body.includes('calc')) return bounds;
    if (shape === 'inset') return this.#insetBox(bounds, body);
    if (shape === 'polygon') return this.#polygonBox(bounds, body);
    const [radii = ''] = body.split(/\bat\b/);
    return radii.split(/\s+/).some((radius) => /^0(px|%)?$/.test(radius)) ? undefined : bounds;
  }

  #insetBox({ x, y, width, height }: Rect, body: string): Rect | undefined {
    const lengths = (body.split(' round ')[0] ?? '').trim().split(/\s+/);
    const [top = '0', right = top, bottom = top, left = right] = lengths;
    const x0 = this.#length(left, width);
    const y0 = this.#length(top, height);
    const rest = { width: width - x0 - this.#length(right, width), height: height - y0 - this.#length(bottom, height) };
    return rest.width > 0 && rest.height > 0 ? { x: x + x0, y: y + y0, ...rest } : undefined;
  }

  #polygonBox({ x, y, width, height }: Rect, body: string): Rect | undefined {
    const points = body
      .replace(/^(evenodd|nonzero)\s*,/, '')
      .split(',')
      .map((point) => point.trim().split(/\s+/));
    const xs = points.map(([across = '0']) => this.#length(across, width));
    const ys = points.map(([, down = '0']) => this.#length(down, height));
    const left = Math.min(...xs);
    const top = Math.min(...ys);
    const box = { x: x + left, y: y + top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
    return box.width > 0 && box.height > 0 ? box : undefined;
  }

  #length(text: string, whole: number): number {
    const number = Number.parseFloat(text) || 0;
    return text.endsWith('%') ? (number / 100) * whole : number;
  }

  #common(a: Rect, b: Rect): Rect | undefined {
    const x = Math.max(a.x, b.x);
    const y = Math.max(a.y, b.y);
    const width = Math.min(a.x + a.width, b.x + b.width) - x;
    const height = Math.min(a.y + a.height, b.y + b.height) - y;
    return width > 0 && height > 0 ? { x, y, width, height } : undefined;
  }
}
