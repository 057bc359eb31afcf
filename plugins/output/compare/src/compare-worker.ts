import { type Comparison, isBeyond, type Limits } from './comparison.js';
import { drawDifference, type Panel } from './draw-difference.js';
import { findDifferences, pairOf, type Sensitivity } from './find-differences.js';
import { openImage, UnreadableImage } from './open-image.js';

export interface CompareInput extends Sensitivity {
  /** Bytes, or the path of a file. */
  readonly image: Uint8Array | string;
  readonly baseline: Uint8Array | string;
  /** Of the drawing. */
  readonly panels: readonly Panel[];
  /** An image within them is not drawn; undefined: any is drawn. */
  readonly undrawn?: Limits | undefined;
}

/** One of the files is not an image that can be compared; the problem is a clause for the client. */
export interface Unreadable {
  readonly of: 'image' | 'baseline';
  readonly problem: string;
}

export interface Compared {
  readonly comparison: Comparison;
  /** A PNG. */
  readonly drawing?: Uint8Array | undefined;
}

/** Pixels that two images of different shape may cover: as many as one may have. */
const MOST_PIXELS = 16_383 ** 2;

/** Runs in a thread: only encoded images go in and out. */
async function compare(input: CompareInput): Promise<Compared | Unreadable> {
  try {
    return await compareImages(input);
  } catch (error) {
    if (error instanceof UnreadableImage) return { of: error.of, problem: error.message };
    throw error;
  }
}

async function compareImages({ panels, undrawn, ...input }: CompareInput): Promise<Compared> {
  const pair = pairOf(await openImage('image', input.image), await openImage('baseline', input.baseline));
  const { area } = pair;
  if (area.width * area.height > MOST_PIXELS) throw new UnreadableImage('baseline', 'its shape differs too much');
  const { comparison, marks } = await findDifferences(pair, input);
  if (undrawn !== undefined && !isBeyond(comparison, undrawn)) return { comparison };
  return { comparison, drawing: await drawDifference({ pair, marks, regions: comparison.regions, panels }) };
}

// A worker thread runs the default export.
export { compare as default };
