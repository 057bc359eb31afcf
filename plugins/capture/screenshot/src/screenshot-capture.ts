import type { Readable } from 'node:stream';

/** Options that an output may set for the capture, in its declaration's `captureOptions`. */
export interface ScreenshotCaptureOptions {
  /** A format that the browser may encode itself. Without it, and for screenshots captured in tiles, the capture is a PNG. */
  readonly native?: 'jpeg' | 'webp';
  /** 0 to 100, of the native format. */
  readonly quality?: number;
  /** Maximum pixels of the format. A larger capture is refused with `capture_too_large`. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Maximum total pixels of the encoder. A larger capture is refused with `capture_too_large`. */
  readonly maxPixels?: number;
  /** The parameters beyond its size that the format can follow. */
  readonly adjusts?: readonly AdjustingKey[];
}

export type AdjustingKey = 'image_quality' | 'image_lossless' | 'image_transparent';

/** One still image in the requested size: encoders never resize. Sizes in pixels. */
export interface ScreenshotCapture {
  /** `png`, or the native format that the output requested. */
  readonly format: 'png' | 'jpeg' | 'webp';
  /** A stream if the screenshot was captured in tiles. It no longer needs a browser. */
  readonly data: Buffer | Readable;
  readonly width: number;
  readonly height: number;
  /** 1 to 100; undefined: the encoder's own. */
  readonly quality?: number;
  readonly lossless?: true;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    screenshot: ScreenshotCapture;
  }
  interface CaptureOptions {
    screenshot: ScreenshotCaptureOptions;
  }
}

/** Reads the options out of an output's declaration; throws a TypeError that names the wrong member. */
export function readCaptureOptions(declared: object = {}): ScreenshotCaptureOptions {
  return {
    ...readNative(declared),
    ...readNumber(declared, 'quality', [0, 100]),
    ...readNumber(declared, 'maxWidth'),
    ...readNumber(declared, 'maxHeight'),
    ...readNumber(declared, 'maxPixels'),
  };
}

function readNative(declared: { readonly native?: unknown }): Pick<ScreenshotCaptureOptions, 'native'> {
  const { native } = declared;
  if (native === undefined) return {};
  if (native === 'jpeg' || native === 'webp') return { native };
  throw new TypeError('captureOptions.native must be "jpeg" or "webp"');
}

function readNumber(declared: object, name: string, [least, most]: readonly [number, number] = [1, Infinity]): Record<string, number> {
  const value: unknown = Object.getOwnPropertyDescriptor(declared, name)?.value;
  if (value === undefined) return {};
  if (typeof value === 'number' && value >= least && value <= most) return { [name]: value };
  throw new TypeError(`captureOptions.${name} must be a number from ${String(least)} to ${String(most)}`);
}
