/** Seconds of a video whose request sets no duration. */
export const DEFAULT_DURATION_S = 5;
export const DEFAULT_IMAGE_FRAMERATE = 5;
export const DEFAULT_VIDEO_FRAMERATE = 25;

/** A page draws no more than 60 frames a second. */
export const MAX_FRAMERATE = 60;

/** Largest `video_width` and `video_height`: 8K, the maximum of most players. */
export const MAX_VIDEO_SIDE = 8_192;

export interface VideoLimits {
  readonly frames: number;
  /** Of the whole video, decoded: width x height x 4 x frames. */
  readonly bytes: number;
}

/** Viewers decode an animated image as a whole, but a video only a few frames at a time. */
export const VIDEO_LIMITS: Readonly<Record<'image' | 'video', VideoLimits>> = {
  image: { frames: 600, bytes: 2 ** 31 },
  video: { frames: 3_600, bytes: 2 ** 35 },
};

/** Device pixels of the largest viewport that is recorded: 1280 x 13,107. */
export const MAX_SOURCE_PIXELS = 2 ** 24;

/**
 * In a browser with a smaller scale, borders would take more of the layout. A video requested at a smaller scale is drawn at this one and
 * scaled by its encoder.
 */
const LEAST_SCREEN_SCALE = 1;

/** Device pixels of a CSS pixel in the frames as the browser draws them. */
export function drawnScale(deviceScaleFactor: number): number {
  return Math.max(LEAST_SCREEN_SCALE, deviceScaleFactor);
}

/** Share of the render time left when the recording begins. It is reserved for the encoder's work after the last frame. */
export const RESERVE_SHARE = 0.2;

/** A frame that takes longer, on any machine, means that the page or its browser hangs. */
export const HUNG_MS = 60_000;
