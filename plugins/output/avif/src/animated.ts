import { colourFilter, pictureFilters, type FrameSequence, type VideoCodec, type VideoFormat } from '@platen/lib-ffmpeg';

/** sRGB in full range, as in images. */
const COLOURS: readonly string[] = [
  ...['-color_range', 'pc', '-colorspace', 'bt709'],
  ...['-color_primaries', 'bt709', '-color_trc', 'iec61966-2-1'],
];

function avifFilters(film: FrameSequence, chroma: 'yuv444p' | 'yuv420p'): readonly string[] {
  return [...pictureFilters(film, 'gbrp'), colourFilter('pc'), `format=${chroma}`];
}

/** Any size, and chroma at full resolution: subsampling blurs thin colored text first. */
const AOM: VideoCodec = {
  encoder: 'libaom-av1',
  filters: (film) => avifFilters(film, 'yuv444p'),
  options: () => ['-usage', 'realtime', '-cpu-used', '8', '-row-mt', '1', '-crf', '24', '-b:v', '0', ...COLOURS],
};

/** Subsamples chroma and rejects images under 64 pixels: for an ffmpeg that was built without libaom. */
const SVT: VideoCodec = {
  encoder: 'libsvtav1',
  filters: (film) => avifFilters(film, 'yuv420p'),
  options: () => ['-preset', '10', '-crf', '28', ...COLOURS],
};

export const ANIMATED_AVIF: VideoFormat = { type: 'avif', muxer: 'avif', codecs: [AOM, SVT] };
