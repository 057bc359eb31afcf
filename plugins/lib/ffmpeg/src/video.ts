import type { FrameSequence } from './frame-sequence.js';
import { colourFilter, evenFilters, isWhole, pictureFilters } from './picture-filters.js';

/**
 * Converts frames to video: even sides, BT.709, limited range, subsampled chroma. A JPEG that needs nothing else is not converted to RGB,
 * which saves a fifth of the total time.
 */
export function videoFilters(film: FrameSequence): readonly string[] {
  if (film.format === 'jpeg' && isWhole(film) && film.width % 2 === 0 && film.height % 2 === 0) return [JPEG_TO_VIDEO, 'format=yuv420p'];
  return [...pictureFilters(film, 'gbrp'), ...evenFilters(film), colourFilter('tv'), 'format=yuv420p'];
}

/** From full range and BT.601, which JPEG always uses (JFIF). */
const JPEG_TO_VIDEO =
  'colorspace=ispace=bt470bg:iprimaries=bt709:itrc=bt709:irange=pc:space=bt709:primaries=bt709:trc=bt709:range=tv:format=yuv420p';

/** Records this in the file. */
export const VIDEO_COLOURS: readonly string[] = [
  ...['-pix_fmt', 'yuv420p', '-color_range', 'tv'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
];
