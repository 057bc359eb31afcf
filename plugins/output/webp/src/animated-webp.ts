import { pictureFilters, type FilmFormat } from '@platen/lib-ffmpeg';
import { QUALITY } from './quality.js';

/** Loops for ever. libwebp makes one long frame of equal ones. */
export const ANIMATED_WEBP: FilmFormat = {
  type: 'webp',
  muxer: 'webp',
  muxerOptions: () => ['-loop', '0'],
  codecs: [
    {
      encoder: 'libwebp_anim',
      filters: (film) => [...pictureFilters(film, 'rgb24'), 'format=bgra'],
      // An effort of 2 takes no longer than 0, for half the bytes.
      options: () => ['-quality', String(QUALITY), '-compression_level', '2'],
    },
  ],
};
