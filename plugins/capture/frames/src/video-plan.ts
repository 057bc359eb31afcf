import type { AskedSize, ElementRequest, Size } from '@platen/lib-page-layout';
import type { FramesCaptureOptions } from './frames-capture.js';
import { DEFAULT_DURATION_S, DEFAULT_IMAGE_FRAMERATE, DEFAULT_VIDEO_FRAMERATE, VIDEO_LIMITS, type VideoLimits } from './limits.js';
import type { VideoParams } from './params.js';

const BYTES_PER_PIXEL = 4;

/** The plan of a video: the keys that apply to its kind, with their defaults. */
export interface VideoPlan {
  readonly kind: 'image' | 'video';
  /** Seconds. */
  readonly duration: number;
  readonly framerate: number;
  readonly frameCount: number;
  readonly asked: AskedSize;
  /** The element that it shows; undefined: the viewport, or the whole page. */
  readonly element: ElementRequest | undefined;
  readonly limits: VideoLimits;
}

/** The video that an output type makes of these parameters; undefined if it makes a still image or non-visual output. */
export function videoPlanOf(params: VideoParams, { recording }: Pick<FramesCaptureOptions, 'recording'>): VideoPlan | undefined {
  if (recording === 'optional' && params.image_duration === undefined) return undefined;
  return recording === 'video' ? videoOf(params) : animationOf(params);
}

function animationOf(params: VideoParams): VideoPlan {
  const { image_duration: duration = DEFAULT_DURATION_S, image_framerate: framerate = DEFAULT_IMAGE_FRAMERATE } = params;
  const { image_width: width, image_height: height, image_selector: selector } = params;
  return toVideoPlan('image', { duration, framerate, width, height, selector });
}

function videoOf(params: VideoParams): VideoPlan {
  const { video_duration: duration = DEFAULT_DURATION_S, video_framerate: framerate = DEFAULT_VIDEO_FRAMERATE } = params;
  const { video_width: width, video_height: height, video_selector: selector } = params;
  return toVideoPlan('video', { duration, framerate, width, height, selector });
}

/** The keys of one kind of video, without the prefix. */
interface VideoKeys extends Pick<VideoPlan, 'duration' | 'framerate'>, AskedSize {
  readonly selector: string | undefined;
}

function toVideoPlan(kind: VideoPlan['kind'], { duration, framerate, width, height, selector }: VideoKeys): VideoPlan {
  return {
    kind,
    duration,
    framerate,
    frameCount: Math.round(duration * framerate),
    asked: { width, height },
    element: selector === undefined ? undefined : { key: `${kind}_selector`, selector },
    limits: VIDEO_LIMITS[kind],
  };
}

/** Why a video of this size has too many pixels in total, and what to request instead; undefined if it has not. */
export function describeExcess({ kind, frameCount, limits }: VideoPlan, { width, height }: Size): string | undefined {
  const most = Math.floor(limits.bytes / (width * height * BYTES_PER_PIXEL));
  if (frameCount <= most) return undefined;
  const excess = `${String(frameCount)} frames of ${String(width)} x ${String(height)} pixels exceed ${String(limits.bytes / 2 ** 30)} GiB uncompressed`;
  const size = `a smaller size ("${kind}_width", "${kind}_height", "device_scale_factor")`;
  return most < 1
    ? `${excess}: request ${size}`
    : `${excess}: request at most ${String(most)} frames ("${kind}_duration" x "${kind}_framerate"), or ${size}`;
}
