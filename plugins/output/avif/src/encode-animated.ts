import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { ANIMATED_AVIF } from './animated.js';
import { loopForever } from './loop-forever.js';

export async function encodeAnimated(film: FramesCapture, context: EncodeContext): Promise<Output> {
  await using file = await encodeVideo({ film, format: ANIMATED_AVIF, context });
  const avif = await file.readAll();
  // A single frame is not a sequence: it is written as a still image, which cannot repeat.
  return { contentType: 'image/avif', extension: 'avif', body: film.frameCount === 1 ? avif : loop(avif) };
}

/** Output that is not an AVIF, or has another layout, is an error. */
function loop(avif: Buffer): Buffer {
  try {
    return loopForever(avif);
  } catch (cause) {
    throw new PlatenError('encode_failed', 'the avif could not be encoded: ffmpeg wrote a file that is not laid out as expected', {
      cause,
    });
  }
}
