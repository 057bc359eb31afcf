import type { Output } from '@platen/kernel';
import type { PixelCapture } from '@platen/plugin-pixels';

/** The capture is a png already. */
export function encodePng({ data }: PixelCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'image/png', extension: 'png', body: data });
}
