import type { Rect } from '@platen/kernel';

/** Visibility by computed style alone. These classes and functions must not capture outer variables, because they also run in pages. */

/** Computed style properties that determine on which sides content overflows its box. */
interface FlowStyle {
  readonly writingMode: string;
  readonly direction: string;
  readonly display: string;
  readonly flexDirection: string;
  readonly flexWrap: string;
}

/**
 * The sides on which content overflows and can be scrolled to: CSS Writing Modes 4 defines where lines and blocks end, CSS Flexible Box
 * Layout where items do. Must not capture outer variables.
 */
export function flowOf({ writingMode, direction, display, flexDirection, flexWrap }: FlowStyle): {
  readonly left: boolean;
  readonly up: boolean;
} {
  const rtl = direction === 'rtl';
  const flex = /\bflex\b/.test(display);
  const column = flexDirection.startsWith('column');
  const across = flex && flexWrap === 'wrap-reverse';
  const lines = column ? across : flex && flexDirection === 'row-reverse';
  const blocks = column ? flex && flexDirection === 'column-reverse' : across;
  if (writingMode === 'horizontal-tb' || writingMode === '') return { left: rtl !== lines, up: blocks };
  const up = writingMode === 'sideways-lr' ? !rtl : rtl;
  return { left: writingMode.endsWith('-rl') !== blocks, up: up !== lines };
}

/** The computed style properties that make a box a containing block. */
export interface ContainingBlockStyle {
  readonly transform: string;
  readonly translate: string;
  readonly rotate: string;
  readonly scale: string;
  readonly offsetPath: string;
  readonly transformStyle: string;
  readonly perspective: string;
  readonly filter: string;
  readonly backdropFilter: string;
  readonly willChange: string;
  readonly contain: string;
  readonly contentVisibility: string;
}

/**
 * Whether a box contains even fixed descendants, according to CSS Transforms 2, Motion Path 1, Filter Effects 1 and 2, Will Change 1 and
 * Containment 2. Does not apply to inline boxes or `display: contents`. Must not capture outer variables.
 */
export function isFixedContainingBlock(style: ContainingBlockStyle): boolean {
  const { transform, translate, rotate, scale, offsetPath, perspective, filter, backdropFilter } = style;
  return (
    [transform, translate, rotate, scale, offsetPath, perspective, filter, backdropFilter].some(
      (value) => value !== 'none' && value !== '',
    ) ||
    style.transformStyle === 'preserve-3d' ||
    /transform|translate|rotate|scale|offset-path|perspective|filter|contain/.test(style.willChange) ||
    /layout|paint|strict|content/.test(style.contain) ||
    style.contentVisibility === 'auto'
  );
}

/** Computed values. */
export interface Clipped {
  readonly clip: string;
  readonly clipPath: string;
  readonly position: string;
}

/**
 * The part of an element's border box that `clip` and `clip-path` leave visible: rectangles, the bounding box of polygons, and the whole box
 * for other shapes. Must not capture outer variables.
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

/** What computed values paint, as the browser serializes them. Runs here and in pages; must not capture outer variables. */
export class Paint {
  /** The alpha of a color, which the browser serializes as `rgb(r, g, b)`, `rgba(r, g, b, a)` or `color(space r g b / a)`. */
  alphaOf(color: string): number {
    const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(color)?.[1] ?? /\/\s*([\d.]+|none)\)$/.exec(color)?.[1];
    if (alpha !== undefined) return Number(alpha) || 0;
    return color === '' || color === 'transparent' ? 0 : 1;
  }

  /** Opacity of a `filter`: the product of its `opacity()` functions. */
  filterOpacity(filter: string): number {
    if (!filter.includes('opacity(')) return 1;
    return [...filter.matchAll(/\bopacity\(([\d.]+)\)/g)].reduce((rest, [, amount]) => rest * Math.min(1, Number(amount)), 1);
  }

  /** Gradients without any visible color, and no other image. */
  isTransparentImage(image: string): boolean {
    if (!image.includes('gradient(') || /\b(url|image-set|cross-fade|element|paint)\(/.test(image)) return false;
    const colors = image.match(/\b(?:rgba?|color|oklab|oklch|lab|lch|hsla?|hwb)\([^()]*\)/g) ?? [];
    return colors.length > 0 && colors.every((color) => this.alphaOf(color) === 0);
  }
}

/** The linear part of a 3D transformation, as three rows of three. Translation does not affect the orientation. */
export type Linear = readonly [number, number, number, number, number, number, number, number, number];

/** From a computed `transform`: `matrix(...)` and `matrix3d(...)`, both column-major. Undefined: none. */
export function parseTransform(transform: string): Linear | undefined {
  const [, kind, body = ''] = /^(matrix|matrix3d)\(([^)]*)\)$/.exec(transform) ?? [];
  if (kind === undefined) return undefined;
  const numbers = body.split(',').map(Number);
  const at = (index: number): number => numbers[index] ?? 0;
  if (kind === 'matrix') return [at(0), at(2), 0, at(1), at(3), 0, 0, 0, 1];
  return [at(0), at(4), at(8), at(1), at(5), at(9), at(2), at(6), at(10)];
}

/** From a computed `rotate`: an angle, optionally after an axis given by name or by vector. Undefined: none. */
export function parseRotate(rotate: string): Linear | undefined {
  const axis = rotate.split(' ');
  const degrees = axis.pop() ?? '';
  if (!degrees.endsWith('deg')) return undefined;
  const [named = 'z'] = axis;
  const along = axis.length === 3 ? axis.map(Number) : ['x', 'y', 'z'].map((name) => Number(name === named));
  const length = Math.hypot(...along);
  if (!(length > 0)) return undefined;
  const [x = 0, y = 0, z = 0] = along.map((part) => part / length);
  const angle = (Number.parseFloat(degrees) * Math.PI) / 180;
  const sin = Math.sin(angle);
  const cos = Math.cos(angle);
  const rest = 1 - cos;
  return [
    cos + x * x * rest,
    x * y * rest - z * sin,
    x * z * rest + y * sin,
    y * x * rest + z * sin,
    cos + y * y * rest,
    y * z * rest - x * sin,
    z * x * rest - y * sin,
    z * y * rest + x * sin,
    cos + z * z * rest,
  ];
}

/** Applies `inner` first, then `outer`. */
export function combine(outer: Linear | undefined, inner: Linear | undefined): Linear | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  const [a, b, c, d, e, f, g, h, i] = outer;
  const [j, k, l, m, n, o, p, q, r] = inner;
  return [
    a * j + b * m + c * p,
    a * k + b * n + c * q,
    a * l + b * o + c * r,
    d * j + e * m + f * p,
    d * k + e * n + f * q,
    d * l + e * o + f * r,
    g * j + h * m + i * p,
    g * k + h * n + i * q,
    g * l + h * o + i * r,
  ];
}

/** Whether the back faces the viewer; a mirror image shows its front. */
export function isBackfacing(turned: Linear | undefined): boolean {
  if (turned === undefined) return false;
  const [a, b, c, d, e, f, g, h, i] = turned;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return (a * e - b * d) * determinant < 0;
}
