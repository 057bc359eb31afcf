import type { OutputDeclaration, PlanView } from '@platen/kernel';
import { readClip } from './clip.js';
import type { ScreenshotParams } from './params.js';
import type { AdjustingKey } from './screenshot-capture.js';

const FOLLOWED_BY = {
  image_quality: 'the quality of jpg, webp, avif and jpegxl images',
  image_lossless: 'webp, avif and jpegxl images',
  image_transparent: 'png, webp, avif, tiff, jpegxl, apng and gif images',
} as const satisfies Record<AdjustingKey, string>;

/** Refuses keys that no output follows, and a transparency that one of several images cannot have. */
export function checkImageKeys({ params, output, outputs, included, captureKind, refuse }: PlanView<ScreenshotParams>): void {
  const isAnimated = captureKind === 'frames';
  // `Object.entries` forgets which keys the table has.
  for (const [key, what] of Object.entries(FOLLOWED_BY) as [AdjustingKey, string][]) {
    if (params[key] === undefined || params[key] === false) continue;
    const made = [...outputs, ...included.map((one) => one.output)];
    const images = made.filter(({ from }) => ['screenshot', 'frames'].some((kind) => [from].flat().includes(kind)));
    const unfit = images.find((image) => !adjusts(image, key));
    const isUnfit = !images.some((image) => adjusts(image, key)) || (key === 'image_transparent' && unfit !== undefined);
    const { type } = unfit ?? output;
    const without = unfit === undefined || outputs.includes(unfit) ? `the output type "${type}"` : `an image of ${output.type}, a ${type},`;
    if (isUnfit) refuse(key, `"${key}" sets ${what}: ${without} has no such setting`);
    if (isAnimated && key !== 'image_transparent')
      refuse(key, `"${key}" cannot be used with an animated ${output.type}: omit "image_duration"`);
  }
  if (params.image_clip === undefined) return;
  if (isAnimated) refuse('image_clip', '"image_clip" is for still images');
  const { width, height } = readClip(params.image_clip);
  if (width === 0 || height === 0) refuse('image_clip', '"image_clip" must have a width and a height above 0');
}

function adjusts({ captureOptions = {} }: OutputDeclaration, key: AdjustingKey): boolean {
  const { adjusts: keys = [] }: { readonly adjusts?: readonly AdjustingKey[] } = captureOptions;
  return keys.includes(key);
}
