import type { Readable } from 'node:stream';

/** A rectangle of whole pixels of the frames as they come out of the stream. */
export interface FrameCrop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A film of the page at a constant rate. Every frame that comes out of the stream is a whole picture of the browser's
 * (`sourceWidth` x `sourceHeight` pixels, the same for all); the encoder makes the film's frame of it: first the crop, where
 * there is one, then scaling to `width` x `height`, where that differs. With ffmpeg: `crop=w:h:x:y,scale=W:H`.
 */
export interface FramesCapture {
  /** Of each frame: png where pixels must be exact, jpeg for video. */
  readonly format: 'png' | 'jpeg';
  /** Pixels of the film: what the encoded output must have (but for even sides, which are the encoder's matter). */
  readonly width: number;
  readonly height: number;
  /** Pixels of the frames in the stream. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** The part of each frame that the film shows; undefined: all of it. */
  readonly crop?: FrameCrop;
  /** Frames per second, constant. */
  readonly framerate: number;
  /** round(duration x framerate): exactly so many Buffers come, unless the stream fails. */
  readonly frameCount: number;
  /** Object mode: one Buffer a frame, in order. A picture that lasts several frames comes as often, as the same Buffer. */
  readonly frames: Readable;
  /** How it is captured; where `deterministic` cannot hold, it is `live` already here. */
  readonly method: 'live' | 'deterministic';
}

/** What an output that films says in its declaration's `captureOptions`. */
export interface FramesCaptureOptions {
  /**
   * `image`: always animated, from the `image_*` keys. `optional`: animated where `image_duration` is given, else a still picture
   * of the output's first capture kind. `video`: always a film, from the `video_*` keys.
   */
  readonly film: 'image' | 'optional' | 'video';
  readonly frameFormat: 'png' | 'jpeg';
  /** What the format can hold, in pixels: beyond it the answer is `capture_too_large`. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    frames: FramesCapture;
  }
  interface CaptureOptions {
    frames: FramesCaptureOptions;
  }
}

/** Reads the options out of an output's declaration; undefined where it is no film. Throws a TypeError that names the wrong member. */
export function readVideoOptions(declared: object = {}): FramesCaptureOptions | undefined {
  const { film, frameFormat, maxWidth, maxHeight }: { readonly [K in keyof FramesCaptureOptions]?: unknown } = declared;
  if (film === undefined) return undefined;
  if (film !== 'image' && film !== 'optional' && film !== 'video') {
    throw new TypeError('captureOptions.film must be "image", "optional" or "video"');
  }
  if (frameFormat !== 'png' && frameFormat !== 'jpeg') throw new TypeError('captureOptions.frameFormat must be "png" or "jpeg"');
  return { film, frameFormat, ...readSide('maxWidth', maxWidth), ...readSide('maxHeight', maxHeight) };
}

function readSide(name: 'maxWidth' | 'maxHeight', value: unknown): Record<string, number> {
  if (value === undefined) return {};
  if (typeof value === 'number' && value >= 1) return { [name]: value };
  throw new TypeError(`captureOptions.${name} must be a number of pixels`);
}
