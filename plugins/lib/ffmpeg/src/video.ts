import type { Film } from './film.js';
import { colourFilter, evenFilters, pictureFilters } from './picture-filters.js';

/** How far a player must go back at most when it jumps into a film. */
export const SECONDS_BETWEEN_KEYFRAMES = 2;

/** Frames as video has them: even sides, BT.709, limited range, chroma halved both ways. */
export function videoFilters(film: Film): readonly string[] {
  return [...pictureFilters(film, 'gbrp'), ...evenFilters(film), colourFilter('tv'), 'format=yuv420p'];
}

/** Says so in the file. */
export const VIDEO_COLOURS: readonly string[] = [
  ...['-pix_fmt', 'yuv420p', '-color_range', 'tv'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
];
