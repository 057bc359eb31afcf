import type { FrameSequence } from './frame-sequence.js';
import type { VideoCodec } from './video-format.js';

/** Rounding that preserves flat colors: swscale's default is off by up to 3 of 255. */
const EXACT = 'accurate_rnd+full_chroma_int+full_chroma_inp';

/** The video shows the stream's frames unchanged. */
function isWhole({ crop, width, height, sourceWidth, sourceHeight }: FrameSequence): boolean {
  return crop === undefined && width === sourceWidth && height === sourceHeight;
}

/**
 * Filters that convert the stream's frames to the video's frames: crop, remove transparency unless it is wanted, scale. Afterwards JPEG frames (full range,
 * BT.601) and PNG frames are equivalent.
 */
export function frameFilters(
  { crop, width, height, sourceWidth, sourceHeight, transparent }: FrameSequence,
  pixels: 'rgb24' | 'gbrp',
): readonly string[] {
  const size = crop ?? { width: sourceWidth, height: sourceHeight };
  return [
    // Before the crop: a JPEG's subsampled chroma can only be cropped at even positions.
    `format=${transparent === true ? 'rgba' : pixels}`,
    ...(crop === undefined ? [] : [`crop=${[crop.width, crop.height, crop.x, crop.y].join(':')}`]),
    ...(size.width === width && size.height === height ? [] : [`scale=${String(width)}:${String(height)}:flags=lanczos+${EXACT}`]),
  ];
}

/** Video chroma is halved in both directions: an odd side is padded by repeating its last line of pixels. */
function evenFilters({ width, height }: Pick<FrameSequence, 'width' | 'height'>): readonly string[] {
  const right = width % 2;
  const bottom = height % 2;
  if (right === 0 && bottom === 0) return [];
  return [
    `pad=${String(width + right)}:${String(height + bottom)}`,
    `fillborders=left=0:top=0:right=${String(right)}:bottom=${String(bottom)}:mode=smear`,
  ];
}

/** From RGB to BT.709. Range: `tv` is 16 to 235, as in video; `pc` is 0 to 255, as in images. */
export function colorFilter(range: 'tv' | 'pc'): string {
  return `scale=out_color_matrix=bt709:out_range=${range}:flags=${EXACT}`;
}

/**
 * Converts frames to video: even sides, BT.709, limited range, subsampled chroma. A JPEG that needs nothing else is not converted to RGB,
 * which saves a fifth of the total time.
 */
export function videoFilters(video: FrameSequence): readonly string[] {
  if (video.format === 'jpeg' && isWhole(video) && video.width % 2 === 0 && video.height % 2 === 0)
    return [JPEG_TO_VIDEO, 'format=yuv420p'];
  return [...frameFilters(video, 'gbrp'), ...evenFilters(video), colorFilter('tv'), 'format=yuv420p'];
}

/** From full range and BT.601, which JPEG always uses (JFIF). */
const JPEG_TO_VIDEO =
  'colorspace=ispace=bt470bg:iprimaries=bt709:itrc=bt709:irange=pc:space=bt709:primaries=bt709:trc=bt709:range=tv:format=yuv420p';

/** Records this in the file. */
export const VIDEO_COLORS: readonly string[] = [
  ...['-pix_fmt', 'yuv420p', '-color_range', 'tv'],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
];

/** H.264, High profile, 4:2:0: supported by every player. */
export const H264: VideoCodec = {
  encoder: 'libx264',
  filters: videoFilters,
  options: () => [
    // Faster than x264's default preset with files of about the same size; text stays legible at this quality.
    ...['-preset', 'veryfast', '-crf', '20'],
    // Tuned as for still images: the fast preset alone keeps refining a static page and doubles the size.
    ...['-aq-strength', '1.2'],
    ...VIDEO_COLORS,
  ],
};

/** Fast enough to keep up with the page: VP9's default mode takes ten times as long. */
const REALTIME: readonly string[] = ['-deadline', 'realtime', ...VIDEO_COLORS];

export const VP9: VideoCodec = {
  encoder: 'libvpx-vp9',
  filters: videoFilters,
  options: () => [...REALTIME, '-cpu-used', '8', '-row-mt', '1', '-b:v', '0', '-crf', '30'],
};

/** For an ffmpeg that was built without VP9. Its quality setting needs a maximum bitrate. */
export const VP8: VideoCodec = {
  encoder: 'libvpx',
  filters: videoFilters,
  options: () => [...REALTIME, '-cpu-used', '12', '-b:v', '4M', '-crf', '10'],
};
