import { PlatenError, type EncodeContext, type Output } from '@platen/kernel';
import { encodeVideo } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { ANIMATED_AVIF } from './animated.js';
import { loopForever } from './loop-forever.js';

export async function encodeAnimated(film: FramesCapture, context: EncodeContext): Promise<Output> {
  await using file = await encodeVideo({ film, format: ANIMATED_AVIF, context });
  const avif = await file.readAll();
  // One frame makes no sequence: it is written as a still picture, which has nothing to repeat.
  return { contentType: 'image/avif', extension: 'avif', body: film.frameCount === 1 ? avif : loop(avif) };
}

/** What is no avif, or is laid out in another way, is not answered. */
function loop(avif: Buffer): Buffer {
  try {
    return loopForever(avif);
  } catch (cause) {
    throw new PlatenError('encode_failed', 'the avif could not be encoded: ffmpeg wrote a file that is not laid out as expected', {
      cause,
    });
  }
}
