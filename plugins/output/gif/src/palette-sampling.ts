import { Readable } from 'node:stream';
import { runToBuffer, type FrameSequence, type ReadyFormat } from '@platen/lib-ffmpeg';

/** Filters before ffmpeg's `palettegen` and `paletteuse`. */
export interface PaletteSampling {
  /** For the frames that `palettegen` analyzes. */
  readonly seen: readonly string[];
  /** For the frames that `paletteuse` maps. */
  readonly shown: readonly string[];
}

/** Uses every pixel unchanged. */
const ALL: PaletteSampling = { seen: [], shown: [] };

/** Bytes per pixel as PNG: pages of solid areas and text are below it, photographs are over 1. */
const BUSY_BYTES_PER_PIXEL = 0.2;
/** Approximate number of pixels sampled from that frame. */
const SAMPLE_PIXELS = 2 ** 16;
/** Colors in that sample, far more than a palette holds: a video whose colors all fit a palette stays exact. */
const MANY_COLOURS = 2_048;

interface FirstLook {
  readonly first: Buffer;
  readonly ready: ReadyFormat;
  readonly signal: AbortSignal;
}

/**
 * How much of an animation ffmpeg analyzes, based on its first frame. ffmpeg's time and memory grow with the number of colors, and moving
 * photographs have nearly as many colors as pixels.
 */
export async function planPaletteSampling(film: FrameSequence, { first, ready, signal }: FirstLook): Promise<PaletteSampling> {
  const { sourceWidth, sourceHeight, frameCount } = film;
  if (first.length < sourceWidth * sourceHeight * BUSY_BYTES_PER_PIXEL) return ALL;
  const filters = [...ready.codec.filters(film), ...someLines(film, SAMPLE_PIXELS)];
  const sample = await runToBuffer({
    ...{ path: ready.ffmpeg.path, film, signal },
    frames: Readable.from([first]),
    output: ['-vf', filters.join(','), '-frames:v', '1', '-c:v', 'rawvideo', '-f', 'rawvideo'],
  });
  return hasManyColours(sample) ? { seen: someLines(film, ENOUGH_PIXELS / frameCount), shown: [SIX_BITS] } : ALL;
}

/** `pixels`: three bytes per pixel. */
function hasManyColours(pixels: Buffer): boolean {
  const colours = new Set<number>();
  for (let at = 0; at + 3 <= pixels.length && colours.size < MANY_COLOURS; at += 3) colours.add(pixels.readUIntBE(at, 3));
  return colours.size === MANY_COLOURS;
}

/** For the whole animation: these pixels yield a palette as good as that of all pixels. */
const ENOUGH_PIXELS = 2 ** 20;
/** Maximum number of times that every second line is dropped, while enough lines remain. */
const MOST_HALVINGS = 5;
const LEAST_LINES = 16;

/** Drops lines instead of color precision: the remaining pixels are unchanged, so flat colors stay exact. */
function someLines({ width, height }: FrameSequence, pixels: number): readonly string[] {
  const wanted = Math.ceil(Math.log2((width * height) / pixels));
  const possible = Math.floor(Math.log2(height / LEAST_LINES));
  const halvings = Math.max(0, Math.min(wanted, possible, MOST_HALVINGS));
  return Array.from({ length: halvings }, () => 'field=type=top');
}

/** The center of four pixels: the palette's colors, one of which is chosen, are further apart. */
const SIX_BITS = `lutrgb=${['r', 'g', 'b'].map((channel) => `${channel}=bitand(val\\,252)+2`).join(':')}`;
