import { pictureFilters, type VideoFormat } from '@platen/lib-ffmpeg';
import { EFFORT, QUALITY } from './quality.js';

/** Loops forever. libwebp merges equal frames into one long frame. */
export const ANIMATED_WEBP: VideoFormat = {
  type: 'webp',
  muxer: 'webp',
  muxerOptions: () => ['-loop', '0'],
  codecs: [
    {
      encoder: 'libwebp_anim',
      filters: (film) => [...pictureFilters(film, 'rgb24'), 'format=bgra'],
      options: () => ['-quality', String(QUALITY), '-compression_level', String(EFFORT)],
    },
  ],
};
