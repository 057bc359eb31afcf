import type { AskedSize, ElementRequest } from '@platen/lib-geometry';
import type { FramesCaptureOptions } from './frames-capture.js';
import { DEFAULT_DURATION_S, DEFAULT_IMAGE_FRAMERATE, DEFAULT_VIDEO_FRAMERATE, FILM_LIMITS, type FilmLimits } from './limits.js';
import type { FilmParams } from './params.js';

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
  return {
    kind: 'image',
    ...timing(duration, framerate),
    asked: { width: params.image_width, height: params.image_height },
    element: elementOf('image_selector', params.image_selector),
    limits: FILM_LIMITS.image,
  };
}

function videoOf(params: FilmParams): Film {
  const { video_duration: duration = DEFAULT_DURATION_S, video_framerate: framerate = DEFAULT_VIDEO_FRAMERATE } = params;
  return {
    kind: 'video',
    ...timing(duration, framerate),
    asked: { width: params.video_width, height: params.video_height },
    element: elementOf('video_selector', params.video_selector),
    limits: FILM_LIMITS.video,
  };
}

function timing(duration: number, framerate: number): Pick<Film, 'duration' | 'framerate' | 'frameCount'> {
  return { duration, framerate, frameCount: Math.round(duration * framerate) };
}

function elementOf(key: string, selector: string | undefined): ElementRequest | undefined {
  return selector === undefined ? undefined : { key, selector };
}
