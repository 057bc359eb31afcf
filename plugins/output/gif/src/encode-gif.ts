import type { EncodeContext, Output } from '@platen/kernel';
import { formatArguments, readFrames, runToBuffer, withFfmpeg, type FrameSequence, type ReadyFormat } from '@platen/lib-ffmpeg';
import { openScratchFile } from '@platen/lib-spool';
import type { FramesCapture } from '@platen/plugin-frames';
import { GIF } from './gif.js';
import { planPaletteSampling, type PaletteSampling } from './palette-sampling.js';

export async function encodeGif(film: FramesCapture, context: EncodeContext): Promise<Output> {
  const encode = film.width * film.height * BYTES_PER_PIXEL * film.frameCount > MOST_UNPACKED_BYTES ? encodeTwice : encodeAtOnce;
  const body = await withFfmpeg({ film, format: GIF, context }, (ready) => encode(film, ready, context));
  return { contentType: 'image/gif', extension: 'gif', body };
}

const BYTES_PER_PIXEL = 4;

/** ffmpeg's memory limit for a decoded animation until its palette is known. */
const MOST_UNPACKED_BYTES = 2 ** 28;

/** No dithering: flat colors stay flat, and static areas do not flicker. */
const TO_PALETTE = 'paletteuse=dither=none:diff_mode=rectangle';

async function encodeAtOnce(film: FrameSequence, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  const { sampling, frames } = await openFrames(film, ready, { signal, release });
  const graph = [
    `[0:v]${chain(ready.codec.filters(film), ['split'])}[seen][frames]`,
    `[seen]${chain(sampling.seen, ['palettegen'])}[palette]`,
    `[frames]${chain(sampling.shown, ['null'])}[shown]`,
    `[shown][palette]${TO_PALETTE}`,
  ];
  return runToBuffer({
    ...{ path: ready.ffmpeg.path, film, signal, frames },
    output: ['-filter_complex', graph.join(';'), ...formatArguments(ready, film)],
  });
}

const chain = (...filters: readonly (readonly string[])[]): string => filters.flat().join(',');

interface OpenFrames {
  readonly sampling: PaletteSampling;
  /** All of them. */
  readonly frames: AsyncIterable<Buffer>;
}

/** Reads the first frame before the others. */
async function openFrames(
  film: FrameSequence,
  ready: ReadyFormat,
  { signal, release }: Pick<EncodeContext, 'signal' | 'release'>,
): Promise<OpenFrames> {
  const reading = readFrames(film, release);
  const { value: first } = await reading.next();
  if (first === undefined) throw new Error('no frame came');
  const all = async function* () {
    yield first;
    yield* reading;
  };
  return { sampling: await planPaletteSampling(film, { first, ready, signal }), frames: all() };
}

/**
 * One palette for the whole animation requires a pass over all frames. The frames of a large animation are analyzed as they arrive and
 * stored in a file meanwhile, in their compressed form.
 */
async function encodeTwice(film: FrameSequence, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  await using spool = await openScratchFile();
  const { sampling, frames } = await openFrames(film, ready, { signal, release });
  const filters = ready.codec.filters(film);
  const seen = async function* () {
    let last: Buffer | undefined;
    for await (const frame of frames) {
      await spool.append(frame);
      // A frame that is shown longer does not get more colors for it.
      if (frame !== last) yield frame;
      last = frame;
    }
  };
  const pass = { path: ready.ffmpeg.path, film, signal };
  const palette = await runToBuffer({
    ...pass,
    frames: seen(),
    output: ['-vf', chain(filters, sampling.seen, ['palettegen']), '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe'],
  });
  return await runToBuffer({
    ...pass,
    frames: await spool.read(),
    inputs: [`data:image/png;base64,${palette.toString('base64')}`],
    output: [
      '-filter_complex',
      `[0:v]${chain(filters, sampling.shown)}[frames];[frames][1:v]${TO_PALETTE}`,
      ...formatArguments(ready, film),
    ],
  });
}
