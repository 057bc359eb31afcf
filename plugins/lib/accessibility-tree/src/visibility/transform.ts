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
