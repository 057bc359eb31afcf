import type { FrameSequence } from './frame-sequence.js';

/** Rounding that preserves flat colors: swscale's default is off by up to 3 of 255. */
const EXACT = 'accurate_rnd+full_chroma_int+full_chroma_inp';

/** The video shows the stream's frames unchanged. */
export function isWhole({ crop, width, height, sourceWidth, sourceHeight }: FrameSequence): boolean {
  return crop === undefined && width === sourceWidth && height === sourceHeight;
}

/**
 * Filters that convert the stream's frames to the video's frames: crop, remove transparency, scale. Afterwards JPEG frames (full range,
 * BT.601) and PNG frames are equivalent.
 */
export function pictureFilters(
  { crop, width, height, sourceWidth, sourceHeight }: FrameSequence,
  pixels: 'rgb24' | 'gbrp',
): readonly string[] {
  const size = crop ?? { width: sourceWidth, height: sourceHeight };
  return [
    // Before the crop: a JPEG's subsampled chroma can only be cropped at even positions.
    `format=${pixels}`,
    ...(crop === undefined ? [] : [`crop=${[crop.width, crop.height, crop.x, crop.y].join(':')}`]),
    ...(size.width === width && size.height === height ? [] : [`scale=${String(width)}:${String(height)}:flags=lanczos+${EXACT}`]),
  ];
}

/** Video chroma is halved in both directions: an odd side is padded by repeating its last line of pixels. */
export function evenFilters({ width, height }: Pick<FrameSequence, 'width' | 'height'>): readonly string[] {
  const right = width % 2;
  const bottom = height % 2;
  if (right === 0 && bottom === 0) return [];
  return [
    `pad=${String(width + right)}:${String(height + bottom)}`,
    `fillborders=left=0:top=0:right=${String(right)}:bottom=${String(bottom)}:mode=smear`,
  ];
}

/** From RGB to BT.709. Range: `tv` is 16 to 235, as in video; `pc` is 0 to 255, as in images. */
export function colourFilter(range: 'tv' | 'pc'): string {
  return `scale=out_color_matrix=bt709:out_range=${range}:flags=${EXACT}`;
}
