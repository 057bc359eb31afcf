import type { Output } from '@platen/kernel';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

/** The capture is a PNG already. */
export function encodePng({ data }: ScreenshotCapture): Promise<Output> {
  return Promise.resolve({ contentType: 'image/png', extension: 'png', body: data });
}
