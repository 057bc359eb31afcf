import type { FrameSequence } from './frame-sequence.js';

/** The rounding that keeps flat colors what they are: swscale's default is off by up to 3 of 255. */
const EXACT = 'accurate_rnd+full_chroma_int+full_chroma_inp';

/** The film shows the stream's frames as they are. */
export function isWhole({ crop, width, height, sourceWidth, sourceHeight }: FrameSequence): boolean {
  return crop === undefined && width === sourceWidth && height === sourceHeight;
}

/**
 * Filters that make the film's frames of the stream's: cropped, without transparency, scaled. Frames as JPEG (full range, BT.601)
 * and as PNG are the same from here on.
 */
export function pictureFilters(
  { crop, width, height, sourceWidth, sourceHeight }: FrameSequence,
  pixels: 'rgb24' | 'gbrp',
): readonly string[] {
  const size = crop ?? { width: sourceWidth, height: sourceHeight };
  return [
    // Before the crop: a jpeg's halved chroma can only be cut at even places.
    `format=${pixels}`,
    ...(crop === undefined ? [] : [`crop=${[crop.width, crop.height, crop.x, crop.y].join(':')}`]),
    ...(size.width === width && size.height === height ? [] : [`scale=${String(width)}:${String(height)}:flags=lanczos+${EXACT}`]),
  ];
}

/** Chroma of video is halved both ways: an odd side gets one more line of pixels, the last one again. */
export function evenFilters({ width, height }: Pick<FrameSequence, 'width' | 'height'>): readonly string[] {
  const right = width % 2;
  const bottom = height % 2;
  if (right === 0 && bottom === 0) return [];
  return [
    `pad=${String(width + right)}:${String(height + bottom)}`,
    `fillborders=left=0:top=0:right=${String(right)}:bottom=${String(bottom)}:mode=smear`,
  ];
}

/** From RGB to BT.709. Range: `tv` 16 to 235, as video has it; `pc` 0 to 255, as pictures have it. */
export function colourFilter(range: 'tv' | 'pc'): string {
  return `scale=out_color_matrix=bt709:out_range=${range}:flags=${EXACT}`;
}
