import type { EncodeContext, Output } from '@platen/kernel';
import { formatArguments, readFrames, runToBuffer, withFfmpeg, type Film, type ReadyFormat } from '@platen/lib-ffmpeg';
import { openScratchFile } from '@platen/lib-spool';
import type { FramesCapture } from '@platen/plugin-frames';
import { GIF } from './gif.js';

export async function encodeGif(film: FramesCapture, context: EncodeContext): Promise<Output> {
  const encode = film.width * film.height * BYTES_PER_PIXEL * film.frameCount > MOST_UNPACKED_BYTES ? encodeTwice : encodeAtOnce;
  const body = await withFfmpeg({ film, format: GIF, context }, (ready) => encode(film, ready, context));
  return { contentType: 'image/gif', extension: 'gif', body };
}

const BYTES_PER_PIXEL = 4;

/** What ffmpeg may hold of an animation, unpacked, until its palette is known. */
const MOST_UNPACKED_BYTES = 2 ** 28;

/** No dithering: flat colours stay flat, and nothing crawls where nothing moves. */
const TO_PALETTE = 'paletteuse=dither=none:diff_mode=rectangle';

function encodeAtOnce(film: Film, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  const filters = ready.codec.filters(film).join(',');
  const graph = `${filters},split[seen][frames];[seen]palettegen[palette];[frames][palette]${TO_PALETTE}`;
  return runToBuffer({
    ...{ path: ready.ffmpeg.path, film, signal },
    frames: readFrames(film, release),
    output: ['-filter_complex', graph, ...formatArguments(ready, film)],
  });
}

/**
 * One palette for the whole animation is known only once all frames were seen. Those of a large one are looked at as they come, and
 * lie in a file meanwhile, compressed as they are.
 */
async function encodeTwice(film: Film, ready: ReadyFormat, { signal, release }: EncodeContext): Promise<Buffer> {
  await using spool = await openScratchFile();
  const filters = ready.codec.filters(film).join(',');
  const seen = async function* () {
    let last: Buffer | undefined;
    for await (const frame of readFrames(film, release)) {
      await spool.append(frame);
      // A picture that lasts several frames has no more colours for it.
      if (frame !== last) yield frame;
      last = frame;
    }
  };
  const pass = { path: ready.ffmpeg.path, film, signal };
  const palette = await runToBuffer({
    ...pass,
    frames: seen(),
    output: ['-vf', `${filters},palettegen`, '-frames:v', '1', '-c:v', 'png', '-f', 'image2pipe'],
  });
  return await runToBuffer({
    ...pass,
    frames: await spool.read(),
    inputs: [`data:image/png;base64,${palette.toString('base64')}`],
    output: ['-filter_complex', `[0:v]${filters}[frames];[frames][1:v]${TO_PALETTE}`, ...formatArguments(ready, film)],
  });
}
