import type { CoreParams, Fragments, InferParams, Rule } from '@platen/kernel';
import type { ScreenshotParams } from '@platen/plugin-screenshot';
import {
  DEFAULT_DURATION_S,
  DEFAULT_IMAGE_FRAMERATE,
  DEFAULT_VIDEO_FRAMERATE,
  VIDEO_LIMITS,
  MAX_FRAMERATE,
  MAX_VIDEO_SIDE,
} from './limits.js';

export const FRAME_PARAMS = {
  image_duration: {
    type: 'number',
    description: `Duration of an animated image in seconds, at most ${String(VIDEO_LIMITS.image.frames)} frames. Animates output types that are still by default; gif and apng default to ${String(DEFAULT_DURATION_S)}. A webp merges equal consecutive frames.`,
    exclusiveMinimum: 0,
    examples: [2],
    'x-synonyms': { duration: true },
    'x-search': ['gif', 'animation'],
  },
  image_framerate: {
    type: 'integer',
    format: 'uint32',
    description: 'Frames per second of an animated image.',
    minimum: 1,
    maximum: MAX_FRAMERATE,
    default: DEFAULT_IMAGE_FRAMERATE,
    examples: [10],
    'x-synonyms': { framerate: true, fps: true },
  },
  video_duration: {
    type: 'number',
    description: `Duration of a video in seconds, at most ${String(VIDEO_LIMITS.video.frames)} frames.`,
    exclusiveMinimum: 0,
    default: DEFAULT_DURATION_S,
    examples: [3],
    'x-synonyms': { duration: true },
    'x-search': ['screencast', 'record'],
  },
  video_framerate: {
    type: 'integer',
    format: 'uint32',
    description: 'Frames per second of a video.',
    minimum: 1,
    maximum: MAX_FRAMERATE,
    default: DEFAULT_VIDEO_FRAMERATE,
    examples: [30],
    'x-synonyms': { framerate: true, fps: true },
  },
  video_width: {
    type: 'integer',
    format: 'uint32',
    description:
      'Video width in pixels, at most 8192 (8K). Alone, it keeps the aspect ratio; with video_height, the video has exactly that size, filled from the top and cropped if the ratio differs.',
    minimum: 1,
    maximum: MAX_VIDEO_SIDE,
    examples: [640],
  },
  video_height: {
    type: 'integer',
    format: 'uint32',
    description: 'Video height in pixels, at most 8192 (8K). Alone, it keeps the aspect ratio.',
    minimum: 1,
    maximum: MAX_VIDEO_SIDE,
    examples: [360],
  },
  video_selector: {
    type: 'string',
    description:
      'CSS selector. Crops every frame of a video to the bounding rectangle of the first match at render start. The rectangle does not change after that.',
    minLength: 1,
    examples: ['#chart'],
  },
} as const satisfies Fragments;

/** Includes the keys of other plugins that also shape a video. */
export type VideoParams = InferParams<typeof FRAME_PARAMS> & ScreenshotParams & Pick<CoreParams, 'timeout' | 'no_timeout'>;

export const FRAME_RULES: readonly Rule[] = [
  {
    'x-message': '"full_page" and "video_selector" are mutually exclusive',
    'x-parameters': ['full_page', 'video_selector'],
    not: { required: ['full_page', 'video_selector'], properties: { full_page: { const: true }, video_selector: { type: 'string' } } },
  },
];
