import sharp from 'sharp';
import { expect } from 'vitest';

export interface Picture {
  readonly format: string | undefined;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha of one pixel. */
  at(x: number, y: number): readonly number[];
  /** Red, green, blue without alpha, of every pixel. */
  readonly data: Buffer;
}

/** Decodes a picture by libvips, which shares no code with the browser's encoders. */
export async function decodePicture(bytes: Buffer): Promise<Picture> {
  const image = sharp(bytes, { limitInputPixels: false });
  const { format } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { format, width, height, data, at: (x, y) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)] };
}

/** Whether every channel is within the tolerance; alpha is 255 where it is not given. */
export function isColour(pixel: readonly number[], [red, green, blue, alpha = 255]: readonly number[], tolerance = 0): boolean {
  return [red, green, blue, alpha].every((wanted, channel) => Math.abs((pixel[channel] ?? NaN) - (wanted ?? NaN)) <= tolerance);
}

export const RED = [255, 0, 0];
export const GREEN = [0, 128, 0];
export const BLUE = [0, 0, 255];
export const YELLOW = [255, 255, 0];
export const WHITE = [255, 255, 255];

/** A standards-mode page without margins. */
export function page(body: string, head = ''): string {
  return `<!doctype html><style>body{margin:0}</style>${head}${body}`;
}

export function dataUrl(body: string, head?: string): string {
  return `data:text/html,${encodeURIComponent(page(body, head))}`;
}

/** A block at a place of the document. */
export function block(css: string): string {
  return `<div style="position:absolute;${css}"></div>`;
}

/** A solid picture of its own, as a file to be loaded. */
export function svg(colour: string): { headers: Record<string, string>; body: string } {
  return {
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${colour}"/></svg>`,
  };
}

/** The colours of a column of a picture, from top to bottom, with the number of pixels of each. */
export function expectColumn({ at, height }: Picture, x: number, ...expected: readonly (readonly [number, readonly number[]])[]): void {
  const bands: [number, readonly number[]][] = [];
  for (let y = 0; y < height; y += 1) {
    const colour = at(x, y).slice(0, 3);
    const last = bands.at(-1);
    if (last !== undefined && isColour([...last[1], 255], colour)) last[0] += 1;
    else bands.push([1, colour]);
  }
  expect(bands.slice(0, expected.length + 5)).toEqual(expected);
}
