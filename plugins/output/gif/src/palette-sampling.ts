import { Readable } from 'node:stream';
import { runToBuffer, type FrameSequence, type ReadyFormat } from '@platen/lib-ffmpeg';

/** Filters in front of ffmpeg's own two of the palette. */
export interface PaletteSampling {
  /** Of what `palettegen` sees of the film. */
  readonly seen: readonly string[];
  /** Of the frames that `paletteuse` looks up. */
  readonly shown: readonly string[];
}

/** Every pixel counts, as it is. */
const ALL: PaletteSampling = { seen: [], shown: [] };

/** As png: pages of fields and text stay below it, photographs are over 1. */
const BUSY_BYTES_PER_PIXEL = 0.2;
/** Of that picture, about. */
const SAMPLE_PIXELS = 2 ** 16;
/** In that sample, and far more than a palette holds: a film whose colors all fit one stays exact. */
const MANY_COLOURS = 2_048;

interface FirstLook {
  readonly first: Buffer;
  readonly ready: ReadyFormat;
  readonly signal: AbortSignal;
}

/**
 * How much of a film ffmpeg is to look at, by its first picture. It spends time and memory on each color that there is, and photographs
 * that move have nearly as many as pixels.
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

/** Of pixels of three bytes. */
function hasManyColours(pixels: Buffer): boolean {
  const colours = new Set<number>();
  for (let at = 0; at + 3 <= pixels.length && colours.size < MANY_COLOURS; at += 3) colours.add(pixels.readUIntBE(at, 3));
  return colours.size === MANY_COLOURS;
}

/** Of a whole film: they make as good a palette as all. */
const ENOUGH_PIXELS = 2 ** 20;
/** Every second line, so many times at most, as long as so many are left. */
const MOST_HALVINGS = 5;
const LEAST_LINES = 16;

/** Leaves out lines, not parts of colors: what is left is as it was, so flat colors stay exact. */
function someLines({ width, height }: FrameSequence, pixels: number): readonly string[] {
  const wanted = Math.ceil(Math.log2((width * height) / pixels));
  const possible = Math.floor(Math.log2(height / LEAST_LINES));
  const halvings = Math.max(0, Math.min(wanted, possible, MOST_HALVINGS));
  return Array.from({ length: halvings }, () => 'field=type=top');
}

/** In the middle of four: the palette's colors, of which one is taken, are further from each other. */
const SIX_BITS = `lutrgb=${['r', 'g', 'b'].map((channel) => `${channel}=bitand(val\\,252)+2`).join(':')}`;
