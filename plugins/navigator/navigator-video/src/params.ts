import type { DeviceProfile, Fragments, InferParams } from '@platen/kernel';
import { AREA_FORMS, readCaptionsArea, toBox, type VideoSize } from './captions-area.js';

export const VIDEO = 'with_navigator_video';
const POSITION = 'navigator_video_captions_position';

/** The largest side of a video, as of `video_width`: 8K. */
const MAX_SIDE = 8192;

/** The interface specification, "Navigator" and "Additional-asset switches". */
export const VIDEO_PARAMS = {
  [VIDEO]: {
    type: 'boolean',
    description: 'Return a video (WebM, VP9) of the navigation as an additional asset. Requires navigate.',
    default: false,
    examples: [true],
    'x-synonyms': { record_video: true },
  },
  navigator_video_width: {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    maximum: MAX_SIDE,
    description: 'Width of the video of the navigation in pixels. Default: the width of a screenshot. Pages are scaled to fit.',
    examples: [640],
  },
  navigator_video_height: {
    type: 'integer',
    format: 'uint32',
    minimum: 1,
    maximum: MAX_SIDE,
    description: 'Height of the video of the navigation in pixels. Default: the height of a screenshot. Pages are scaled to fit.',
    examples: [360],
  },
  navigator_video_shows_captions: {
    type: 'boolean',
    default: false,
    description: 'Caption the actions in the video of the navigation: what the navigator gives as the reason. The video pauses to be read.',
    examples: [true],
  },
  navigator_video_shows_pointer: {
    type: 'boolean',
    default: false,
    description: 'Draw the pointer in the video of the navigation: an arrow, or a fingertip on a touch device.',
    examples: [true],
  },
  [POSITION]: {
    type: 'string',
    minLength: 1,
    default: 'bottom',
    'x-expects': AREA_FORMS,
    description: `Where the captions are: ${AREA_FORMS}. The sides of rect are distances from the top and left, those of inset from each edge.`,
    examples: ['top', 'rect(70% 90% 95% 10%)', 'inset(400px 20px 20px 20px)'],
  },
} as const satisfies Fragments;

export type VideoParams = InferParams<typeof VIDEO_PARAMS>;

type Profile = Pick<DeviceProfile, 'width' | 'height' | 'deviceScaleFactor'>;

/** Of the video, in pixels: by default that of a screenshot. */
export function sizeOf(params: VideoParams, { width, height, deviceScaleFactor: scale }: Profile): VideoSize {
  return {
    width: params.navigator_video_width ?? Math.ceil(width * scale),
    height: params.navigator_video_height ?? Math.ceil(height * scale),
  };
}

interface Checked {
  readonly params: VideoParams;
  readonly profile: Profile;
  refuse(parameter: string, detail: string): never;
}

/** Refuses a position of captions that has no valid form, or is outside of the video. */
export function checkPosition({ params, profile, refuse }: Checked): void {
  const { [POSITION]: position } = params;
  if (position === undefined) return;
  const area = readCaptionsArea(position);
  if (area === undefined) refuse(POSITION, `"${POSITION}" must be ${AREA_FORMS}`);
  const size = sizeOf(params, profile);
  if (typeof area === 'object' && toBox(area, size) === undefined) {
    const { width, height } = size;
    refuse(POSITION, `"${POSITION}" leaves no room for captions in a video of ${String(width)} x ${String(height)} pixels`);
  }
}
