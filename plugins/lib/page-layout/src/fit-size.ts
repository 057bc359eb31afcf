/** The whole pixels that a length covers, ignoring floating point noise: 700 x 1.1, and the browser's float32 (960 / 0.9 x 0.9). */
export function ceilPixels(length: number): number {
  return Math.max(1, Math.ceil(length - 1e-3));
}

/** Pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in the request; with only one side, the ratio is preserved. */
export interface AskedSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The requested size and the scale factor to it: the larger of both sides' factors, so that nothing outside the region is visible. */
export function fitSize(exact: Size, asked: AskedSize): Size & { readonly factor: number } {
  const natural = { width: ceilPixels(exact.width), height: ceilPixels(exact.height) };
  if (asked.width === undefined && asked.height === undefined) return { ...natural, factor: 1 };
  const { width, height } = wantedSize(natural, asked);
  return { width, height, factor: Math.max(width / exact.width, height / exact.height) };
}

function wantedSize(natural: Size, { width, height }: AskedSize): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: scaledSide(natural.height, width / natural.width) };
  if (height !== undefined) return { width: scaledSide(natural.width, height / natural.height), height };
  return natural;
}

function scaledSide(side: number, factor: number): number {
  return Math.max(1, Math.round(side * factor));
}
