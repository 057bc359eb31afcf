import type { AskedSize, ElementRequest, Size } from '@platen/lib-geometry';
import type { FramesCaptureOptions } from './frames-capture.js';
import { DEFAULT_DURATION_S, DEFAULT_IMAGE_FRAMERATE, DEFAULT_VIDEO_FRAMERATE, FILM_LIMITS, type FilmLimits } from './limits.js';
import type { FilmParams } from './params.js';

const BYTES_PER_PIXEL = 4;

/** A film, decided: the keys that apply to its kind, with their defaults. */
export interface Film {
  readonly kind: 'image' | 'video';
  /** Seconds. */
  readonly duration: number;
  readonly framerate: number;
  readonly frameCount: number;
  readonly asked: AskedSize;
  /** The element that it shows; undefined: the viewport, or the whole page. */
  readonly element: ElementRequest | undefined;
  readonly limits: FilmLimits;
}

/** The film that an output type makes of these parameters; undefined where it makes a still picture, or nothing that is seen. */
export function filmOf(params: FilmParams, { film }: Pick<FramesCaptureOptions, 'film'>): Film | undefined {
  if (film === 'optional' && params.image_duration === undefined) return undefined;
  return film === 'video' ? videoOf(params) : animationOf(params);
}

function animationOf(params: FilmParams): Film {
  const { image_duration: duration = DEFAULT_DURATION_S, image_framerate: framerate = DEFAULT_IMAGE_FRAMERATE } = params;
  const { image_width: width, image_height: height, image_selector: selector } = params;
  return filmFrom('image', { duration, framerate, width, height, selector });
}

function videoOf(params: FilmParams): Film {
  const { video_duration: duration = DEFAULT_DURATION_S, video_framerate: framerate = DEFAULT_VIDEO_FRAMERATE } = params;
  const { video_width: width, video_height: height, video_selector: selector } = params;
  return filmFrom('video', { duration, framerate, width, height, selector });
}

/** The keys of one kind of film, without its name. */
interface FilmKeys extends Pick<Film, 'duration' | 'framerate'>, AskedSize {
  readonly selector: string | undefined;
}

function filmFrom(kind: Film['kind'], { duration, framerate, width, height, selector }: FilmKeys): Film {
  return {
    kind,
    duration,
    framerate,
    frameCount: Math.round(duration * framerate),
    asked: { width, height },
    element: selector === undefined ? undefined : { key: `${kind}_selector`, selector },
    limits: FILM_LIMITS[kind],
  };
}

/** Why a film of this size has too many pixels in all, and what to ask for instead; undefined where it has not. */
export function describeExcess({ kind, frameCount, limits }: Film, { width, height }: Size): string | undefined {
  const most = Math.floor(limits.bytes / (width * height * BYTES_PER_PIXEL));
  if (frameCount <= most) return undefined;
  const film = `${String(frameCount)} frames of ${String(width)} x ${String(height)} pixels are more than ${String(limits.bytes / 2 ** 30)} GiB unpacked`;
  const size = `a smaller size ("${kind}_width", "${kind}_height", "device_scale_factor")`;
  return most < 1
    ? `${film}: ask for ${size}`
    : `${film}: ask for at most ${String(most)} frames ("${kind}_duration" x "${kind}_framerate"), or ${size}`;
}
