import { PlatenError, type ScreenshotOptions } from '@platen/kernel';
import { fitSize, MAX_PIXELS } from '@platen/lib-page-layout';
import type { ScreenshotParams } from './params.js';
import type { ScreenshotCaptureOptions } from './screenshot-capture.js';

/** The captured area: a rectangle in CSS pixels from the start of the document (`View.left`), as in screenshots. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of the natural image per CSS pixel. */
  readonly zoom: number;
  /** The current viewport, which the browser captures without a rectangle. */
  readonly viewport: boolean;
  /** Part of it is outside the viewport. */
  readonly beyond: boolean;
  /** The parts that the browser paints only in view, from top to bottom. */
  readonly segments?: readonly ScrollSegment[];
}

/** A strip of the document, in CSS pixels. */
export interface ScrollSegment {
  readonly top: number;
  readonly bottom: number;
  /** Its content is animated by its position in the viewport. */
  readonly placed: boolean;
}

type Clip = NonNullable<ScreenshotOptions['clip']>;

/** The plan of one screenshot. */
export interface Frame {
  /** Undefined: the current viewport. */
  readonly clip: Clip | undefined;
  readonly beyond: boolean;
  /** See `Region.segments`. */
  readonly segments: readonly ScrollSegment[];
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface FrameRequest {
  readonly region: Region;
  readonly params: Pick<ScreenshotParams, 'image_width' | 'image_height'>;
  readonly deviceScaleFactor: number;
}

/**
 * The rectangle and factor with which the browser itself makes the screenshot in the requested size. Its size in pixels is round(clip
 * size x clip scale x device scale factor), including fractions of CSS pixels. Therefore the rectangle is derived from the requested
 * pixels, not the other way round.
 */
export function planFrame({ region, params, deviceScaleFactor }: FrameRequest): Frame {
  const exact = { width: region.width * region.zoom, height: region.height * region.zoom };
  const { width, height, factor } = fitSize(exact, { width: params.image_width, height: params.image_height });
  // A viewport that ends within a pixel is captured with a rectangle: without one, the browser repeats its first column at the end.
  const asItIs = region.viewport && factor === 1 && isSame(exact.width, width) && isSame(exact.height, height);
  const cropped = Math.max(0, Math.round((exact.width * factor - width) / 2));
  const perPixel = 1 / (region.zoom * factor);
  const clip = {
    x: region.x + cropped * perPixel,
    y: region.y,
    width: width * perPixel,
    height: height * perPixel,
    scale: (region.zoom * factor) / deviceScaleFactor,
  };
  return { clip: asItIs ? undefined : clip, beyond: region.beyond, segments: region.segments ?? [], width, height };
}

/** Within floating-point error. */
function isSame(exact: number, whole: number): boolean {
  return Math.abs(exact - whole) < 1e-6;
}

/** Throws `capture_too_large` for an image that exceeds the limits of the format or of this plugin. */
export function refuseTooLarge(
  { width, height }: Frame,
  { maxWidth = Infinity, maxHeight = Infinity, maxPixels = Infinity }: ScreenshotCaptureOptions,
  type: string,
): void {
  const size = `the image would be ${String(width)} x ${String(height)} pixels`;
  const advice = 'request a smaller size with "image_width", "image_height", "device_scale_factor" or "image_selector"';
  if (width > maxWidth || height > maxHeight) {
    throw new PlatenError(
      'capture_too_large',
      `${size}, and ${type} supports at most ${String(maxWidth)} x ${String(maxHeight)}: ${advice}, or use another output type`,
    );
  }
  if (width * height > maxPixels) {
    throw new PlatenError(
      'capture_too_large',
      `${size}, more than the ${String(maxPixels)} in total that can be encoded as ${type}: ${advice}, or use another output type`,
    );
  }
  if (width * height > MAX_PIXELS) {
    throw new PlatenError('capture_too_large', `${size}, more than the maximum of ${String(MAX_PIXELS)} in total: ${advice}`);
  }
}
