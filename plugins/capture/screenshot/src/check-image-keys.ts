import type { PlanView } from '@platen/kernel';
import { readClip } from './clip.js';
import type { ScreenshotParams } from './params.js';
import type { AdjustingKey } from './screenshot-capture.js';

const FOLLOWED_BY = {
  image_quality: 'the quality of jpg, webp, avif and jpegxl images',
  image_lossless: 'webp, avif and jpegxl images',
  image_transparent: 'png, webp, avif, tiff, jpegxl, apng and gif images',
} as const satisfies Record<AdjustingKey, string>;

/** Refuses keys that the output type cannot follow. */
export function checkImageKeys({ params, output, captureKind, refuse }: PlanView<ScreenshotParams>): void {
  const { adjusts = [] }: { readonly adjusts?: readonly AdjustingKey[] } = output.captureOptions ?? {};
  const isAnimated = captureKind === 'frames';
  // `Object.entries` forgets which keys the table has.
  for (const [key, what] of Object.entries(FOLLOWED_BY) as [AdjustingKey, string][]) {
    if (params[key] === undefined || params[key] === false) continue;
    if (!adjusts.includes(key)) refuse(key, `"${key}" sets ${what}: the output type "${output.type}" has no such setting`);
    if (isAnimated && key !== 'image_transparent')
      refuse(key, `"${key}" cannot be used with an animated ${output.type}: omit "image_duration"`);
  }
  if (params.image_clip === undefined) return;
  if (isAnimated) refuse('image_clip', '"image_clip" is for still images');
  const { width, height } = readClip(params.image_clip);
  if (width === 0 || height === 0) refuse('image_clip', '"image_clip" must have a width and a height above 0');
}
