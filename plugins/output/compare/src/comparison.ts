/** A rectangle in pixels of the image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What `with_comparison` returns. */
export interface Comparison extends Size {
  readonly equal: boolean;
  readonly pixels: number;
  /** Of the pixels of the smallest rectangle that holds both images. */
  readonly ratio: number;
  readonly baseline: Size;
  /** From top to bottom. */
  readonly regions: readonly Region[];
}

/** What still counts as the same; undefined: anything. */
export interface Limits {
  readonly pixels?: number | undefined;
  readonly ratio?: number | undefined;
}

export function isBeyond({ pixels, ratio }: Pick<Comparison, 'pixels' | 'ratio'>, limits: Limits): boolean {
  return pixels > (limits.pixels ?? Infinity) || ratio > (limits.ratio ?? Infinity);
}

/** `12 pixels (0.0013 %) differ, in 1 region`. */
export function describeComparison({ pixels, ratio, regions }: Comparison): string {
  const [isOne, places] = [pixels === 1, regions.length];
  return `${String(pixels)} ${isOne ? 'pixel' : 'pixels'} (${formatShare(ratio * 100)} %) ${isOne ? 'differs' : 'differ'}, in ${String(places)} ${places === 1 ? 'region' : 'regions'}`;
}

/** Three digits, never in exponents, and never 0 for something. */
export function formatShare(share: number): string {
  return Number(share.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 12, useGrouping: false });
}
