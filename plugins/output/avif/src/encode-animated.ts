import type { EncodeContext, Output } from '@platen/kernel';
import { encodeFilm } from '@platen/lib-ffmpeg';
import type { FramesCapture } from '@platen/plugin-frames';
import { ANIMATED_AVIF } from './animated.js';
import { loopForever } from './loop-forever.js';

export async function encodeAnimated(film: FramesCapture, context: EncodeContext): Promise<Output> {
  await using file = await encodeFilm({ film, format: ANIMATED_AVIF, context });
  return { contentType: 'image/avif', extension: 'avif', body: loopForever(await file.readAll()) };
}
