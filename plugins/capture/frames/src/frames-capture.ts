import type { Readable } from 'node:stream';

/** A rectangle of whole pixels of the frames in the stream. */
export interface FrameCrop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A video of the page at a constant rate. Every frame of the stream is a complete browser screenshot (`sourceWidth` x `sourceHeight`
 * pixels, the same for all). The encoder turns it into a video frame: first it crops, if `crop` is set, then it scales to `width` x
 * `height`, if the size differs. With ffmpeg: `crop=w:h:x:y,scale=W:H`.
 */
export interface FramesCapture {
  /** Of each frame: png where pixels must be exact, jpeg for video. */
  readonly format: 'png' | 'jpeg';
  /** Pixels of the video. The encoded output must have this size; the encoder may only round its sides to even numbers. */
  readonly width: number;
  readonly height: number;
  /** The frames have an alpha channel. */
  readonly transparent?: true;
  /** Pixels of the frames in the stream. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  /** The part of each frame that the video shows; undefined: the whole frame. */
  readonly crop?: FrameCrop;
  /** Frames per second, constant. */
  readonly framerate: number;
  /** round(duration x framerate): the exact number of Buffers, unless the stream fails. */
  readonly frameCount: number;
  /** Object mode: one Buffer per frame, in order. A screenshot that lasts several frames is repeated as the same Buffer. */
  readonly frames: Readable;
  /** The capture method. If `deterministic` is impossible, it is already `live` here. */
  readonly method: 'live' | 'deterministic';
}

/** `captureOptions` in the declaration of an output that records frames. */
export interface FramesCaptureOptions {
  /**
   * `image`: always animated, from the `image_*` keys. `optional`: animated if `image_duration` is given, else a still image of the
   * output's first capture kind. `video`: always a video, from the `video_*` keys.
   */
  readonly recording: 'image' | 'optional' | 'video';
  readonly frameFormat: 'png' | 'jpeg';
  /** Maximum pixels of the format. A larger capture is refused with `capture_too_large`. */
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

/** Reads the options from an output's declaration; undefined if it records no frames. Throws a TypeError that names the wrong member. */
export function readVideoOptions(declared: object = {}): FramesCaptureOptions | undefined {
  const { recording, frameFormat, maxWidth, maxHeight }: { readonly [K in keyof FramesCaptureOptions]?: unknown } = declared;
  if (recording === undefined) return undefined;
  if (recording !== 'image' && recording !== 'optional' && recording !== 'video') {
    throw new TypeError('captureOptions.recording must be "image", "optional" or "video"');
  }
  if (frameFormat !== 'png' && frameFormat !== 'jpeg') throw new TypeError('captureOptions.frameFormat must be "png" or "jpeg"');
  return { recording, frameFormat, ...readSide('maxWidth', maxWidth), ...readSide('maxHeight', maxHeight) };
}

function readSide(name: 'maxWidth' | 'maxHeight', value: unknown): Record<string, number> {
  if (value === undefined) return {};
  if (typeof value === 'number' && value >= 1) return { [name]: value };
  throw new TypeError(`captureOptions.${name} must be a number of pixels`);
}
