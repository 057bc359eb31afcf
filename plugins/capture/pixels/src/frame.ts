import { PlatenError, type ScreenshotOptions } from '@platen/kernel';
import { MAX_PIXELS } from './limits.js';
import type { PixelParams } from './params.js';
import type { PixelCaptureOptions } from './pixel-capture.js';

/** What is to be seen: a rectangle of the document in CSS pixels. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of the natural picture per CSS pixel. */
  readonly zoom: number;
  /** The page's viewport as it stands, which the browser captures without being given a rectangle. */
  readonly viewport: boolean;
  /** Some of it lies outside the viewport. */
  readonly beyond: boolean;
}

type Clip = NonNullable<ScreenshotOptions['clip']>;

/** One picture, decided. */
export interface Frame {
  /** Undefined: the viewport as it stands. */
  readonly clip: Clip | undefined;
  readonly beyond: boolean;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface FrameRequest {
  readonly region: Region;
  readonly params: Pick<PixelParams, 'image_width' | 'image_height'>;
  readonly deviceScaleFactor: number;
}

/** Whole pixels that a length covers; noise of floating point (700 x 1.1) makes no pixel more. */
export function ceilPixels(length: number): number {
  return Math.max(1, Math.ceil(length - 1e-6 * Math.max(1, length / 1000)));
}

/**
 * The rectangle and factor by which the browser itself makes the picture in the wanted size. Its size in pixels is
 * round(clip size x clip scale x device scale factor), with fractions of CSS pixels counted: so the rectangle is
 * derived from the wanted pixels, not the other way round.
 */
export function planFrame({ region, params, deviceScaleFactor }: FrameRequest): Frame {
  const exact = { width: region.width * region.zoom, height: region.height * region.zoom };
  const { width, height, factor } = fit(exact, params);
  const asItIs = region.viewport && factor === 1 && Math.round(exact.width) === width && Math.round(exact.height) === height;
  const cropped = Math.max(0, Math.round((exact.width * factor - width) / 2));
  const perPixel = 1 / (region.zoom * factor);
  const clip = {
    x: region.x + cropped * perPixel,
    y: region.y,
    width: width * perPixel,
    height: height * perPixel,
    scale: (region.zoom * factor) / deviceScaleFactor,
  };
  return { clip: asItIs ? undefined : clip, beyond: region.beyond, width, height };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Wanted size and the factor from natural to wanted pixels: the one that covers both sides, so that nothing outside the region shows. */
function fit(exact: Size, params: FrameRequest['params']): Size & { readonly factor: number } {
  const natural = { width: ceilPixels(exact.width), height: ceilPixels(exact.height) };
  if (params.image_width === undefined && params.image_height === undefined) return { ...natural, factor: 1 };
  const { width, height } = wantedSize(natural, params);
  return { width, height, factor: Math.max(width / exact.width, height / exact.height) };
}

function wantedSize(natural: Size, { image_width: width, image_height: height }: FrameRequest['params']): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  if (width !== undefined) return { width, height: scaledSide(natural.height, width / natural.width) };
  if (height !== undefined) return { width: scaledSide(natural.width, height / natural.height), height };
  return natural;
}

function scaledSide(side: number, factor: number): number {
  return Math.max(1, Math.round(side * factor));
}

/** Throws `capture_too_large` for a picture that the format, or this plugin, does not hold. */
export function refuseTooLarge(
  { width, height }: Frame,
  { maxWidth = Infinity, maxHeight = Infinity }: PixelCaptureOptions,
  type: string,
): void {
  const size = `the picture would be ${String(width)} x ${String(height)} pixels`;
  const advice = 'ask for less with "image_width", "image_height", "device_scale_factor" or "image_selector"';
  if (width > maxWidth || height > maxHeight) {
    throw new PlatenError(
      'capture_too_large',
      `${size}, and ${type} holds at most ${String(maxWidth)} x ${String(maxHeight)}: ${advice}, or take another output type`,
    );
  }
  if (width * height > MAX_PIXELS) {
    throw new PlatenError('capture_too_large', `${size}, more than the ${String(MAX_PIXELS)} in all that a picture may have: ${advice}`);
  }
}
