import { Readable } from 'node:stream';
import { definePlugin, type EncodeContext, type EncodedOutput, type PlanDraft } from '@platen/kernel';
import {
  formatArguments,
  frameFilters,
  type FrameSequence,
  readFrames,
  type ReadyFormat,
  requireFormat,
  runToBuffer,
  type VideoFormat,
  withFfmpeg,
} from '@platen/lib-ffmpeg';
import { openScratchFile } from '@platen/lib-spool';
import type { FramesCapture } from '@platen/plugin-frames';

/** Largest side that the format can hold (GIF89a, 18): 16 bits. */
const MAX_SIDE = 65_535;

export default definePlugin({
  name: 'gif',
  requires: ['frames', 'ffmpeg'],
  outputs: [
    {
      type: 'gif',
      from: 'frames',
      contentType: 'image/gif',
      extension: 'gif',
      captureOptions: { recording: 'image', frameFormat: 'png', adjusts: ['image_transparent'], maxWidth: MAX_SIDE, maxHeight: MAX_SIDE },
    },
  ],
  planFor: { output: 'gif' },
  plan: refuseTooFast,
  apply({ hooks }) {
    hooks.beforeOpen.tapPromise({ name: 'gif', for: { output: 'gif' } }, (context) => requireFormat(GIF, context));
    hooks.encode.for('gif').tapPromise('gif', encodeGif);
  },
});

/** Browsers show a frame of one hundredth, the shortest possible, for ten: two is the shortest delay that they respect. */
const MAX_FRAMERATE = 50;

function refuseTooFast({ params, refuse }: PlanDraft): void {
  const { image_framerate: framerate } = params;
  if (typeof framerate !== 'number' || framerate <= MAX_FRAMERATE) return;
  refuse(
    'image_framerate',
    `"image_framerate" must be at most ${String(MAX_FRAMERATE)} for a gif: players do not support delays below two hundredths of a second`,
  );
}

/** Delays are whole hundredths, each rounded so that the next frame starts on time; loops forever. */
const GIF: VideoFormat = {
  type: 'gif',
  muxer: 'gif',
  muxerOptions: (video) => ['-loop', '0', '-final_delay', String(lastDelay(video))],
  codecs: [{ encoder: 'gif', filters: (video) => frameFilters(video, 'rgb24'), options: () => [] }],
};

/** Hundredths of a second. ffmpeg would repeat the previous delay. */
function lastDelay({ frameCount, framerate }: FrameSequence): number {
  return Math.round((100 * frameCount) / framerate) - Math.round((100 * (frameCount - 1)) / framerate);
}

const BYTES_PER_PIXEL = 4;

/** ffmpeg's memory limit for a decoded animation until its palette is known. */
const MOST_UNPACKED_BYTES = 2 ** 28;

export async function encodeGif(video: FramesCapture, context: EncodeContext): Promise<EncodedOutput> {
  const encode =
    video.width * video.height * BYTES_PER_PIXEL * video.frameCount > MOST_UNPACKED_BYTES ? encodeInTwoPasses : encodeInOnePass;
  const body = await withFfmpeg({ video, format: GIF, context }, (ready) => encode(video, ready, context));
  return { body };
}

/** No dithering: flat colors stay flat, and static areas do not flicker. */
const TO_PALETTE = 'paletteuse=dither=none:diff_mode=rectangle';

async function encodeInOnePass(video: FrameSequence, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  const { sampling, frames } = await openFrames(video, ready, { signal, release });
  const graph = [
    `[0:v]${chain(ready.codec.filters(video), ['split'])}[seen][frames]`,
    `[seen]${chain(sampling.seen, ['palettegen'])}[palette]`,
    `[frames]${chain(sampling.shown, ['null'])}[shown]`,
    `[shown][palette]${TO_PALETTE}`,
  ];
  return runToBuffer({
    ...{ path: ready.ffmpeg.path, video, signal, frames },
    output: ['-filter_complex', graph.join(';'), ...formatArguments(ready, video)],
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
  video: FrameSequence,
  ready: ReadyFormat,
  { signal, release }: Pick<EncodeContext, 'signal' | 'release'>,
): Promise<OpenFrames> {
  const reading = readFrames(video, release);
  const { value: first } = await reading.next();
  if (first === undefined) throw new Error('the capture has no frames');
  const all = async function* () {
    yield first;
    yield* reading;
  };
  return { sampling: await planPaletteSampling(video, { first, ready, signal }), frames: all() };
}

/**
 * One palette for the whole animation requires a pass over all frames. The frames of a large animation are analyzed as they arrive and
 * stored in a file meanwhile, in their compressed form.
 */
async function encodeInTwoPasses(video: FrameSequence, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  await using spool = await openScratchFile();
  const { sampling, frames } = await openFrames(video, ready, { signal, release });
  const filters = ready.codec.filters(video);
  const seen = async function* () {
    let last: Buffer | undefined;
    for await (const frame of frames) {
      await spool.append(frame);
      // A frame that is shown longer does not get more colors for it.
      if (frame !== last) yield frame;
      last = frame;
    }
  };
  const pass = { path: ready.ffmpeg.path, video, signal };
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
      ...formatArguments(ready, video),
    ],
  });
}

/** Filters before ffmpeg's `palettegen` and `paletteuse`. */
interface PaletteSampling {
  /** For the frames that `palettegen` analyzes. */
  readonly seen: readonly string[];
  /** For the frames that `paletteuse` maps. */
  readonly shown: readonly string[];
}

/** Uses every pixel unchanged. */
const ALL: PaletteSampling = { seen: [], shown: [] };

/** The center of four pixels: the palette's colors, one of which is chosen, are further apart. */
const SIX_BITS = `lutrgb=${['r', 'g', 'b'].map((channel) => `${channel}=bitand(val\\,252)+2`).join(':')}`;

/** Bytes per pixel as PNG: pages of solid areas and text are below it, photographs are over 1. */
const BUSY_BYTES_PER_PIXEL = 0.2;

/** Approximate number of pixels sampled from that frame. */
const SAMPLE_PIXELS = 2 ** 16;

/** Colors in that sample, far more than a palette holds: a video whose colors all fit a palette stays exact. */
const MANY_COLORS = 2_048;

/** For the whole animation: these pixels yield a palette as good as that of all pixels. */
const ENOUGH_PIXELS = 2 ** 20;

interface FirstLook {
  readonly first: Buffer;
  readonly ready: ReadyFormat;
  readonly signal: AbortSignal;
}

/**
 * How much of an animation ffmpeg analyzes, based on its first frame. ffmpeg's time and memory grow with the number of colors, and moving
 * photographs have nearly as many colors as pixels.
 */
async function planPaletteSampling(video: FrameSequence, { first, ready, signal }: FirstLook): Promise<PaletteSampling> {
  const { sourceWidth, sourceHeight, frameCount } = video;
  if (first.length < sourceWidth * sourceHeight * BUSY_BYTES_PER_PIXEL) return ALL;
  const filters = [...ready.codec.filters(video), ...someLines(video, SAMPLE_PIXELS)];
  const sample = await runToBuffer({
    ...{ path: ready.ffmpeg.path, video, signal },
    frames: Readable.from([first]),
    output: ['-vf', filters.join(','), '-frames:v', '1', '-c:v', 'rawvideo', '-f', 'rawvideo'],
  });
  return hasManyColors(sample) ? { seen: someLines(video, ENOUGH_PIXELS / frameCount), shown: [SIX_BITS] } : ALL;
}

/** `pixels`: three bytes per pixel. */
function hasManyColors(pixels: Buffer): boolean {
  const colors = new Set<number>();
  for (let at = 0; at + 3 <= pixels.length && colors.size < MANY_COLORS; at += 3) colors.add(pixels.readUIntBE(at, 3));
  return colors.size === MANY_COLORS;
}

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
