import type { Readable } from 'node:stream';

/** What an output may ask of the capture, in its declaration's `captureOptions`. */
export interface ScreenshotCaptureOptions {
  /** A format that the browser may encode itself. Without it, and for pictures captured in tiles, the capture is a png. */
  readonly native?: 'jpeg' | 'webp';
  /** 0 to 100, of the native format. */
  readonly quality?: number;
  /** What the format can hold, in pixels: beyond it the answer is `capture_too_large`. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** What its encoder bears, in pixels in all: beyond it the answer is `capture_too_large`. */
  readonly maxPixels?: number;
}

/** One still picture in the size that was asked for: encoders never resize. Sizes in pixels. */
export interface ScreenshotCapture {
  /** `png`, or the native format that the output asked for. */
  readonly format: 'png' | 'jpeg' | 'webp';
  /** A stream where the picture was captured in tiles. It needs no browser any more. */
  readonly data: Buffer | Readable;
  readonly width: number;
  readonly height: number;
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
